from grader.case import Case

WORDS = ("The", "cat", "sat")
STEPS = {
    "scores": ("the scores", "Three dot products: one query with each of the keys.", "All nine dot products, in three rows of three."),
    "weights": ("the weights", "Scale and softmax: one row that sums to 1.", "All nine weights, in three rows of three."),
    "output": ("the output", "The values, each as often as its weight says.", "All three sums, in three rows of two."),
}


def cases(rng):
    for name, (title, row, whole) in STEPS.items():
        for i, word in enumerate(WORDS):
            labels = () if name == "output" else WORDS  # a row of the output has a number for each feature, not for each word
            yield Case(f"{title} of {word}", wants=(name,), options={"row": i}, sample=i == 0, labels=labels, note=row)
        yield Case(title, wants=(name,), note=whole)
