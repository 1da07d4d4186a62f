"""Sinusoidal positions. Only the cases about the width have an odd one, and only those about the
start begin elsewhere than at 0.
"""

from grader.case import Case

ODD = "Odd widths end with a sine"
BASE = "Another base replaces the default"
START = "Any start"
ONE = "Any size may be one"
LONG = "Any length"


def between(rng, least, most):
    return int(rng.integers(least, most + 1))


def cases(rng):
    yield Case(
        "three words",
        options={"n": 3, "E": 4},
        sample=True,
        labels=("The", "cat", "sat"),
        note="Two clocks. At position 0 every sine is 0 and every cosine is 1.",
    )
    yield Case(
        "two words of a continued text",
        options={"n": 2, "E": 5, "start": 7},
        sample=True,
        rule=START,
        labels=("sat", "down"),
        note="The words stand at positions 7 and 8. The width is odd, so the last column is a sine.",
    )
    yield Case(
        "a short text",
        options={"n": between(rng, 9, 60), "E": 8},
        note="Four clocks.",
    )
    yield Case(
        "wider than long",
        options={"n": between(rng, 5, 9), "E": 2 * between(rng, 19, 27)},
        note="More columns than positions.",
    )
    yield Case(
        "longer than wide",
        options={"n": between(rng, 40, 60), "E": int(rng.choice([6, 10]))},  # 8: a short text
        note="More positions than columns.",
    )
    E = 2 * between(rng, 3, 20)
    yield Case(
        "square",
        options={"n": E, "E": E},
        same="n = E, so that positions and columns may be mistaken for each other",
        note="As many positions as columns.",
    )
    yield Case(
        "one clock",
        options={"n": between(rng, 9, 60), "E": 2},
        note="Only the clock that turns by a radian a position, whatever the base.",
    )
    yield Case(
        "an odd width",
        options={"n": between(rng, 10, 40), "E": 2 * between(rng, 2, 4) + 1},
        rule=ODD,
        note="The last clock has no room for its cosine.",
    )
    yield Case(
        "a width of three",
        options={"n": between(rng, 5, 60), "E": 3},
        rule=ODD,
        note="One clock and the half of another.",
    )
    for words, n, base, note in (
        ("a small base", 9, between(rng, 20, 300), "All clocks turn visibly."),
        ("a large base", 90, 1000.0 * between(rng, 400, 900), "The last clocks hardly move."),
        ("a base near 1", 9, 1.5 + between(rng, 0, 8) / 8, "All clocks turn almost alike."),
    ):
        yield Case(
            words,
            options={"n": n + between(rng, 0, 5), "E": 8, "base": base},
            rule=BASE,
            note=note,
        )
    yield Case(
        "a continued text",
        options={"n": between(rng, 9, 14), "E": 8, "start": between(rng, 20, 90)},
        rule=START,
        note="The first row is not position 0.",
    )
    yield Case(
        "one new word",
        options={"n": 1, "E": 6, "start": between(rng, 20, 90)},
        rule=START,
        note="A step of decoding.",
    )
    n = between(rng, 9, 14)
    yield Case(
        "far into the text",
        options={"n": n, "E": 6, "start": 2501 - n},
        rule=START,
        note="The last word stands at position 2 500.",
    )
    yield Case(
        "one position",
        options={"n": 1, "E": 2 * between(rng, 2, 40)},
        rule=ONE,
        note="The shortest text there is, at position 0.",
    )
    yield Case(
        "one column",
        options={"n": between(rng, 5, 60), "E": 1},
        rule=ONE,
        note="The narrowest model there is: a single sine.",
    )
    yield Case(
        "a long text",
        options={"n": between(rng, 280, 320), "E": 2 * between(rng, 5, 9)},
        rule=LONG,
        note="Positions that do not fit in a byte.",
    )
    yield Case(
        "a very long text",
        options={"n": between(rng, 2100, 2300), "E": 6},
        rule=LONG,
        note="More than two thousand positions.",
    )
    yield Case(
        "one column of a continued text",
        options={"n": between(rng, 5, 12), "E": 1, "start": between(rng, 20, 90)},
        rule=START,
        note="A single sine, and the first row is not position 0.",
    )


def domain(rng):
    """Every small length and width, any base and start."""
    for number in range(80):
        options = {"n": int(rng.choice([1, 2, 3, 7, 40])), "E": int(rng.integers(1, 13))}
        if rng.random() < 0.4:
            options["base"] = [2, 100, 1.5, 1e6, 10_000.0][rng.integers(5)]
        if rng.random() < 0.4:
            options["start"] = int(rng.choice([0, 1, 9, 100, 2400]))
        yield Case(str(number), options=options)
