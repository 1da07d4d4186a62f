from grader.case import Case

WORDS = ("The", "cat", "sat")
STEPS = {
    "scores": (
        "the scores",
        "The scores are not divided",
        "Three dot products: one query with each of the keys.",
        "All nine dot products, in three rows of three.",
    ),
    "weights": (
        "the weights",
        "Each row of weights is a softmax",
        "Scale and softmax: one row that sums to 1.",
        "All nine weights, in three rows of three.",
    ),
    "output": (
        "the output",
        "The output mixes the values",
        "The values, each as often as its weight says.",
        "All three sums, in three rows of two.",
    ),
}
# The first row is public. A hidden case must not fall to guessing, so weights and output are judged
# by the row nowhere else: at 0.005 a row of three weights has some 5,000 (2^12) answers, and two
# rows have 2^24. A row of scores has 2^28 by itself.
HIDDEN_ROWS = ("scores",)


def cases(rng):
    for name, (title, rule, row, whole) in STEPS.items():
        for i, word in enumerate(WORDS):
            if i == 0 or name in HIDDEN_ROWS:
                # a row of the output has a number for each feature, not for each word
                labels = () if name == "output" else WORDS
                options = {"row": i}
                yield Case(
                    f"{title} of {word}",
                    wants=(name,),
                    options=options,
                    sample=i == 0,
                    labels=labels,
                    rule=rule,
                    note=row,
                )
        yield Case(title, wants=(name,), rule=rule, note=whole)
