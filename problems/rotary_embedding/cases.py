"""Rotary embedding. Only the cases about positions have positions that are not counted from 0, so
that whoever counts them fails no other rule.
"""

import numpy as np

from grader.case import Case, in_float64

GIVEN = "Positions are given, not counted"
BASE = "Another base replaces the default"
ODD = "Odd widths are refused"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def tokens(rng, B, H, n, D, positions=None, dtype=np.float32):
    """Unit-normal tokens, counted from 0 unless positions are given."""
    counted = np.arange(n) if positions is None else np.asarray(positions)
    return {
        "x": rng.standard_normal((B, H, n, D)).astype(dtype),
        "positions": counted.astype(np.int64),
    }


def rounded(inputs):
    return inputs | {"x": inputs["x"].round(1) + np.float32(0)}


def small_numbers(inputs):
    """Small entries; one token is 0 and one is faint. Powers of two round nothing."""
    x = inputs["x"]
    x[:, :, 1], x[:, :, 2] = 0, x[:, :, 2] / 2**4
    return inputs | {"x": x / 2**12}


def large_numbers(inputs):
    """Large entries."""
    return inputs | {"x": inputs["x"] * 2**16}


def between(rng, least, most):
    return int(rng.integers(least, most + 1))


def cases(rng):
    yield Case(
        "three words, two heads",
        inputs=rounded(tokens(rng, 1, 2, 3, 4)),
        sample=True,
        labels=("The", "cat", "sat"),
        note="Two pairs: the first turns by a radian a word, the second hardly moves. The word at position 0 stays as it is.",
    )
    start = between(rng, 5, 9)
    yield Case(
        "two words of a continued text",
        inputs=rounded(tokens(rng, 1, 3, 2, 4, (start, start + 1))),
        sample=True,
        rule=GIVEN,
        labels=("sat", "down"),
        note="The text before these words has been dealt with; they keep their places in it.",
    )
    yield Case(
        "a batch",
        inputs=large_numbers(tokens(rng, 2, 3, 5, 8)),
        note="Batch, heads, tokens and width all differ, so no axis can stand in for another.",
    )
    yield Case(
        "a token of zeros",
        inputs=small_numbers(tokens(rng, 3, 2, 4, 6)),
        note="Three pairs of small numbers. Turning an arrow of length 0 leaves it as it is.",
    )
    yield Case(
        "251 tokens",
        inputs=tokens(rng, 1, 2, 251, 16),
        note="A longer text and eight pairs.",
    )
    start = between(rng, 30, 90)
    yield Case(
        "a continued text",
        inputs=tokens(rng, 2, 3, 7, 8, np.arange(start, start + 7)),
        rule=GIVEN,
        note="The first token of the call is not the first of the text.",
    )
    places = np.arange(9) * 7 + rng.integers(0, 6, 9)
    yield Case(
        "any order, with gaps",
        inputs=tokens(rng, 3, 2, 9, 4, np.append(rng.permutation(places[1:]), places[0])),
        rule=GIVEN,
        note="Positions are no steps of one, and the last token has the smallest.",
    )
    shared = np.repeat(rng.integers(3, 40, 3), 2)
    yield Case(
        "tokens that share a position",
        inputs=tokens(rng, 2, 5, 6, 4, shared),
        rule=GIVEN,
        note="Two tokens may stand at the same place.",
    )
    yield Case(
        "far into the text",
        inputs=tokens(rng, 2, 3, 11, 8, (*np.sort(rng.integers(5_000, 10_000, 10)), 10_000)),
        rule=GIVEN,
        note="Positions of some thousands, up to the last.",
    )
    yield Case(
        "one new token",
        inputs=tokens(rng, 2, 3, 1, 6, (between(rng, 20, 60),)),
        rule=GIVEN,
        note="A step of decoding: a single token, which is not the first.",
    )
    for words, base, note in (
        ("a small base", between(rng, 20, 300), "All pairs turn visibly."),
        ("a large base", 1000.0 * between(rng, 400, 900), "As in models with a long context."),
        ("a base near 1", 1.5 + between(rng, 0, 8) / 8, "All pairs turn almost alike."),
    ):
        yield Case(
            words, inputs=tokens(rng, 2, 3, 12, 8), options={"base": base}, rule=BASE, note=note
        )
    for words, D, note in (
        ("an odd width", 2 * between(rng, 2, 4) + 1, "One entry has no partner."),
        ("a width of one", 1, "A single entry makes no pair."),
    ):
        yield Case(words, inputs=tokens(rng, 2, 3, 4, D), raises="ValueError", rule=ODD, note=note)
    yield Case(
        "square",
        inputs=tokens(rng, 4, 4, 4, 4),
        rule=EQUAL,
        same="B = H = n = D, so that a wrong axis has a right shape",
        note="All sizes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "one example, one head",
        inputs=tokens(rng, 1, 1, 13, 6),
        rule=ONE,
        same="one example and one head: B = H = 1",
        note="A batch of one is still a batch, and a single head still has its axis.",
    )
    yield Case(
        "one token",
        inputs=tokens(rng, 1, 1, 1, 4),
        rule=ONE,
        same="one token of one head of one example: B = H = n = 1",
        note="The shortest text there is: one example, one head, and one token, at position 0.",
    )
    yield Case(
        "one pair",
        inputs=tokens(rng, 1, 3, 14, 2),
        rule=ONE,
        note="D = 2: only the pair that turns by a radian a position.",
    )
    # what is kept from a call in float32 is too coarse, whatever it is kept by
    yield Case(
        "float64, a long text",
        inputs=tokens(rng, 1, 2, 8009, 12, dtype=np.float64),
        before=tokens(rng, 1, 2, 8009, 12),
        rule=PRECISION,
        note="Angles of thousands of radians, whose last digits decide where an arrow points. The call before it was in float32.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=tokens(rng, 2, 3, 8, 4),
            wants=("after.x", "after.positions"),
            rule=ALONE,
            note="The caller still needs its arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=tokens(rng, 2, 4, 3, 6),
        layout={"x": "readonly", "positions": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "strided inputs",
        inputs=tokens(rng, 2, 3, 10, 6),
        layout={"x": "strided", "positions": "strided"},
        rule=VIEWS,
        note="The arrays are views with gaps between their entries.",
    )
    yield Case(
        "inputs in another order",
        inputs=tokens(rng, 2, 3, 9, 4),
        layout={"x": "transposed"},
        rule=VIEWS,
        note="x has no gaps, but lies in memory with its axes the other way round.",
    )
    other_order = (0, *np.roll(np.arange(1, 15), between(rng, 2, 12)), 15)
    yield Case(
        "a second call",
        inputs=tokens(rng, 2, 3, 16, 4),
        before=tokens(rng, 2, 3, 16, 4, other_order),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, other numbers, and the positions in another order.",
    )
    yield Case(
        "gradients",
        inputs=tokens(rng, 2, 3, 15, 4),
        wants=("rotated", "grad.x"),
        rule=GRADIENTS,
        note="In PyTorch a gradient comes back turned the other way.",
    )


def domain(rng):
    """Any small sizes, positions up to 10 000, any base above 1, both dtypes; odd widths."""
    for number in range(70):
        B, H, n, half = map(int, rng.choice([1, 1, 2, 3, 4], 4))
        positions = rng.integers(0, rng.choice([3, 60, 10_001]), n)
        if rng.random() < 0.3:
            positions = np.arange(n)
        dtype = rng.choice([np.float32, np.float64])
        bases = ({}, {"base": 10_000.0}, {"base": 2}, {"base": 500}, {"base": 1e6}, {"base": 1.5})
        yield Case(
            str(number),
            inputs=tokens(rng, B, H, n, 2 * half, positions, dtype),
            options=bases[rng.integers(len(bases))],
        )
        if number < 8:
            yield Case(
                f"{number}, refused",
                inputs=tokens(rng, B, H, n, 2 * half - 1, positions, dtype),
                raises="ValueError",
            )
