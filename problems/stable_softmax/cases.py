import numpy as np

from grader.case import Case


def draw(rng, *shape, spread=2.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def rows_of_different_size(rng):
    """Rows near +10 000, near -10 000 and near 0; in the first two, neighbours are 30 apart."""
    x = draw(rng, 3, 4)
    x[0] = 9900 + rng.permutation([0, 30, 60, 90])
    x[1] = -9900 - rng.permutation([0, 30, 60, 90])
    return x


def some_unavailable(rng):
    """In each row another number of entries is -inf, never all of them."""
    x = draw(rng, 4, 5)
    for row in range(4):
        x[row, rng.permutation(5)[: row + 1]] = -np.inf
    return x


def low_and_unavailable(rng):
    """Scores between -10 000 and -9990, with one, two or three of six entries -inf: a number in the
    place of -inf would be seen.
    """
    x = draw(rng, 3, 6, dtype=np.float64).clip(-4.9, 4.9) - 9995
    for row in range(3):
        x[row, rng.permutation(6)[: row + 1]] = -np.inf
    return x


def slices_unavailable(rng):
    """Along axis 1, slice (0, :, 2) and the whole of x[1] are -inf; slice (0, :, 0) is so but for
    one entry.
    """
    x = draw(rng, 2, 4, 3)
    x[0, :, 2] = x[1] = x[0, 1:, 0] = -np.inf
    return x


def cases(rng):
    yield Case(
        "three scores",
        inputs={"x": np.round(draw(rng, 3), 1)},
        sample=True,
        note="The plain definition.",
    )
    yield Case(
        "a table, row by row",
        inputs={"x": np.round(draw(rng, 2, 4), 1)},
        sample=True,
        note="The last axis is the default.",
    )
    yield Case(
        "a table, column by column",
        inputs={"x": np.round(draw(rng, 4, 3), 1)},
        options={"axis": 0},
        sample=True,
        note="Another axis.",
    )
    yield Case(
        "the input stays as it is",
        inputs={"x": draw(rng, 3, 5)},
        layout={"x": "strided"},
        wants=("weights", "after.x"),
        note="The caller goes on using x, which is non-contiguous here.",
    )
    yield Case(
        "the middle axis",
        inputs={"x": draw(rng, 2, 5, 3)},
        options={"axis": 1},
        note="Three axes, normalised along the second.",
    )
    yield Case(
        "the middle axis, other values",
        inputs={"x": draw(rng, 2, 5, 3)},
        options={"axis": 1},
        note="The same shape again with new numbers.",
    )
    yield Case(
        "four axes, counted from the back",
        inputs={"x": draw(rng, 2, 3, 5, 4)},
        options={"axis": -3},
        note="A negative axis, not the last.",
    )
    yield Case(
        "a read-only vector",
        inputs={"x": draw(rng, 257)},
        options={"axis": 0},
        layout={"x": "readonly"},
        note="One axis only. In NumPy the vector is read-only.",
    )
    yield Case(
        "rows of very different size",
        inputs={"x": rows_of_different_size(rng)},
        note="Rows near 10 000, near -10 000 and near 0.",
    )
    yield Case(
        "large scores in float64",
        inputs={"x": 10_000 + draw(rng, 2, 3, 6, dtype=np.float64)},
        note="All scores lie near 10 000; the result has the precision of float64.",
    )
    yield Case(
        "some scores are minus infinity",
        inputs={"x": some_unavailable(rng)},
        note="Entries that are not available.",
    )
    yield Case(
        "minus infinity beside scores near -10 000",
        inputs={"x": low_and_unavailable(rng)},
        note="However low a score is, it is not as low as one that is not available.",
    )
    yield Case(
        "whole slices are minus infinity",
        inputs={"x": slices_unavailable(rng)},
        options={"axis": 1},
        note="Slices in which nothing is available, beside ordinary ones.",
    )
    yield Case(
        "integers",
        inputs={"x": np.stack([rng.permutation(np.arange(-2, 4)) for _ in range(3)])},
        note="Scores may be integers; weights are not.",
    )
    yield Case(
        "one score in a slice",
        inputs={"x": draw(rng, 3, 1, 4)},
        options={"axis": 1},
        note="The only score there is gets all the weight.",
    )
