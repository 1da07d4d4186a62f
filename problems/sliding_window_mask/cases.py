from grader.case import Case


def cases(rng):
    yield Case(
        "a neighbour on each side",
        options={"n": 5, "window": 1},
        sample=True,
        labels=("The", "cat", "sat", "down", "again"),
        note="Each word sees itself and its two neighbours.",
    )
    yield Case(
        "two words back",
        options={"n": 5, "window": 2, "causal": True},
        sample=True,
        labels=("The", "cat", "sat", "down", "again"),
        note="Each word sees itself and the two before it.",
    )
    yield Case(
        "three on each side",
        options={"n": 12, "window": 3},
        note="A band in the middle, cut off at the corners.",
    )
    yield Case(
        "three back",
        options={"n": 12, "window": 3, "causal": True},
        note="The same window, looking back only.",
    )
    yield Case(
        "four back in a longer text",
        options={"n": 17, "window": 4, "causal": True},
        note="A longer text and an even window, looking back only.",
    )
    yield Case(
        "causal is False",
        options={"n": 8, "window": 2, "causal": False},
        note="False, said aloud.",
    )
    yield Case(
        "window 0",
        options={"n": 6, "window": 0},
        note="The narrowest window there is.",
    )
    yield Case(
        "window 0, causal",
        options={"n": 7, "window": 0, "causal": True},
        note="The narrowest window, looking back only.",
    )
    yield Case(
        "a window that just misses the corners",
        options={"n": 9, "window": 7},
        note="Only the two farthest pairs are out of reach.",
    )
    yield Case(
        "a window that just reaches the corners",
        options={"n": 9, "window": 8},
        note="Every pair is within reach, and not one position more.",
    )
    yield Case(
        "a window as long as the text",
        options={"n": 7, "window": 7},
        note="A window of n positions.",
    )
    yield Case(
        "a window longer than the text, causal",
        options={"n": 6, "window": 50, "causal": True},
        note="A window that ends far outside the text.",
    )
    yield Case(
        "one position",
        options={"n": 1, "window": 3},
        note="The shortest text there is.",
    )
    yield Case(
        "one position, window 0, causal",
        options={"n": 1, "window": 0, "causal": True},
        note="Everything as small as it gets.",
    )
    yield Case(
        "a long text",
        options={"n": 300, "window": 31},
        note="Indices that do not fit in a byte.",
    )
    yield Case(
        "a long text, causal",
        options={"n": 300, "window": 140, "causal": True},
        note="A wide window over indices that do not fit in a byte.",
    )
