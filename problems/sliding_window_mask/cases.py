from grader.case import Case

CAUSAL = "Causal drops the keys after it"
ZERO = "A window of 0 shows the position itself"
PAST = "A window may reach past the text"
ONE = "Any size may be one"
LONG = "Any length"


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
        rule=CAUSAL,
        note="Each word sees itself and the two before it.",
    )
    # the corners are hidden, and so are the ends of a band of twice the window
    n, window = between(rng, 17, 24), between(rng, 3, 5)
    # the causal one first: a band that is kept, and cut in place, is wrong in the second
    yield Case(
        "a few back",
        options={"n": n, "window": window, "causal": True},
        rule=CAUSAL,
        note="A band in the middle, looking back only.",
    )
    yield Case(
        "a few on each side",
        options={"n": n, "window": window},
        note="The same window to both sides, cut off at the corners.",
    )
    yield Case(
        "an even number back in a longer text",
        options={"n": between(rng, 25, 34), "window": 2 * between(rng, 2, 4), "causal": True},
        rule=CAUSAL,
        note="A longer text and an even window, looking back only.",
    )
    yield Case(
        "causal is False",
        options={"n": between(rng, 8, 16), "window": between(rng, 2, 4), "causal": False},
        note="False, said aloud.",
    )
    yield Case(
        "window 0",
        options={"n": between(rng, 5, 24), "window": 0},
        rule=ZERO,
        note="The narrowest window there is.",
    )
    yield Case(
        "window 0, causal",
        options={"n": between(rng, 5, 24), "window": 0, "causal": True},
        rule=ZERO,
        note="The narrowest window, looking back only.",
    )
    n = between(rng, 6, 25)
    yield Case(
        "a window that just misses the corners",
        options={"n": n, "window": n - 2},
        rule=PAST,
        note="Only the two farthest pairs are out of reach.",
    )
    n = between(rng, 6, 25)
    yield Case(
        "a window that just reaches the corners",
        options={"n": n, "window": n - 1},
        rule=PAST,
        note="Every pair is within reach, and not one position more.",
    )
    n = between(rng, 6, 25)
    yield Case(
        "a window as long as the text",
        options={"n": n, "window": n},
        rule=PAST,
        note="A window of n positions.",
    )
    yield Case(
        "a window longer than the text, causal",
        options={"n": between(rng, 5, 12), "window": between(rng, 40, 60), "causal": True},
        rule=PAST,
        note="A window that ends far outside the text.",
    )
    yield Case(
        "one position",
        options={"n": 1, "window": between(rng, 2, 30)},
        rule=ONE,
        note="The shortest text there is.",
    )
    yield Case(
        "one position, window 0, causal",
        options={"n": 1, "window": 0, "causal": True},
        rule=ONE,
        note="Everything as small as it gets.",
    )
    yield Case(
        "a long text",
        options={"n": between(rng, 280, 320), "window": between(rng, 132, 150)},
        rule=LONG,
        note="Indices that do not fit in a byte, and a wide window.",
    )
    yield Case(
        "a long text, causal",
        options={"n": between(rng, 280, 320), "window": between(rng, 110, 150), "causal": True},
        rule=LONG,
        note="A wider window, looking back only.",
    )


def between(rng, least, most):
    return int(rng.integers(least, most + 1))


def domain(rng):
    """Every small length and window, and larger ones."""
    for n in (1, 2, 3, 5, 8, 13, int(rng.integers(100, 400))):
        for window in sorted({0, 1, 2, 4, n - 1, n, n + 3, 10 * n}):
            for options in ({}, {"causal": False}, {"causal": True}):
                yield Case(
                    f"{n}, {window}, {options}", options={"n": n, "window": window, **options}
                )
