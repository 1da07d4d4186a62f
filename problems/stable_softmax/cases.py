import numpy as np

from grader.case import Case

AXIS = "Any axis"
ONE = "Any size may be one"
LARGE = "Large scores"
UNAVAILABLE = "Minus infinity gets no weight"
NOTHING = "A slice that has nothing available gets zeros"
INTEGERS = "Integers give floats"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"


def draw(rng, *shape, spread=2.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def rows_of_different_size(rng):
    """A row up to 10 000, one down to -10 000 and an ordinary one. The first two hold two different
    scores each, 3 apart, which shows where scores are cut off.
    """
    x = draw(rng, 3, 4)
    x[0] = 10_000 - rng.permutation([0, 3, 3, 3])
    x[1] = -10_000 + rng.permutation([0, 0, 0, 3])
    return x


def columns_of_different_size(rng):
    """Columns near 61, 0, 0 and -29. No exponential overflows by itself, but one does when the
    maximum of another column is subtracted.
    """
    columns = np.linspace(-1, 1, 5)[:, None] + np.array([61, 0, 0, -29])
    return rng.permuted(columns, axis=0).astype(np.float32)


def zeros_and_less(rng):
    """A row of zeros, a row whose largest score is 0, and an ordinary one."""
    x = -abs(draw(rng, 3, 5))
    x[0], x[1, rng.integers(5)] = 0, 0
    x[2] += 3
    return x


def some_unavailable(rng):
    """In each row another number of entries is -inf, never all of them: one, all but one, the first
    hundreds, the last hundreds, and some anywhere.
    """
    x = draw(rng, 5, 701)
    x[0, rng.integers(701)] = -np.inf
    x[1, np.arange(701) != rng.integers(701)] = -np.inf
    x[2, : rng.integers(520, 690)] = -np.inf
    x[3, -rng.integers(520, 690) :] = -np.inf
    x[4, rng.permutation(701)[: rng.integers(200, 400)]] = -np.inf
    return rng.permutation(x)


def low_and_unavailable(rng):
    """Scores next to -10 000, with four, five or six of seven entries -inf: a number in the place
    of -inf would be seen.
    """
    x = -10_000 + rng.uniform(0, 0.01, (3, 7)).astype(np.float32)
    for row in range(3):
        x[row, rng.permutation(7)[: row + 4]] = -np.inf
    return x


def many_faint(rng):
    """Three ordinary scores, one whose weight is a few hundred-thousandths, and 3001 that lie 24 to 26
    below them: together they weigh less than a millionth, unless they are cut off at 20 below the
    largest or sooner. A table of all their ratios still fits into memory.
    """
    x = rng.uniform(-26, -24, 3005).astype(np.float32)
    x[rng.permutation(3005)[:4]] = [0, -0.7, -1.3, -10]
    return x


def whole_numbers(rng):
    """Rows of integers near 0, 30 and 60, in any order; exp takes the largest in float32, too."""
    x = np.stack([rng.permutation(np.arange(-2, 4)) for _ in range(3)])
    return x + rng.permutation([0, 30, 60])[:, None]


def single_scores(rng):
    """Slices of one score; two of the five are -inf."""
    x = draw(rng, 5, 1)
    x[rng.permutation(5)[:2]] = -np.inf
    return x


def slices_unavailable(rng):
    """Slice (0, 0) and the whole of x[1] are -inf; slice (0, 2) is so but for one entry."""
    x = draw(rng, 2, 3, 4)
    x[0, 0] = x[1] = x[0, 2, 1:] = -np.inf
    return x


def column_unavailable(rng):
    """One available score in each row and column, but for one row and one column that have none:
    whatever the axis, an available score gets the weight 1. Neither of the two is the first or
    the last, so columns that are sorted by what they hold change places.
    """
    x = np.full((4, 4), -np.inf, dtype=np.float32)
    rows, columns = (rng.permutation(np.delete(np.arange(4), rng.integers(1, 3))) for _ in range(2))
    x[rows, columns] = draw(rng, 3)
    return x


def between_floats(rng):
    """float64 scores near 650, each almost half way between two neighbours in float32."""
    x = (650 + draw(rng, 3, 97, spread=0.3)).astype(np.float64)
    return x + rng.choice([-2.8e-5, 2.8e-5], x.shape)


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
        rule=AXIS,
        note="Another axis.",
    )
    yield Case(
        "three axes",
        inputs={"x": draw(rng, 2, 3, 5)},
        layout={"x": "transposed"},
        rule=VIEWS,
        note="Each last row is a slice. In memory, the first axis changes fastest.",
    )
    yield Case("a vector", inputs={"x": draw(rng, 257)}, note="One axis only: a single slice.")
    yield Case(
        "scores of zero",
        inputs={"x": zeros_and_less(rng)},
        note="A row of zeros, and a row whose largest score is 0: zero is a score like any other.",
    )
    yield Case(
        "the middle axis",
        inputs={"x": draw(rng, 2, 5, 3)},
        options={"axis": 1},
        rule=AXIS,
        note="Three axes, normalised along the second.",
    )
    yield Case(
        "four axes, counted from the back",
        inputs={"x": draw(rng, 2, 3, 1, 4)},
        options={"axis": -3},
        rule=AXIS,
        note="A negative axis, not the last. Another axis has the size 1.",
    )
    yield Case(
        "columns of different size",
        inputs={"x": columns_of_different_size(rng)},
        options={"axis": 0},
        rule=AXIS,
        note="Each column has a maximum of its own.",
    )
    yield Case(
        "one score in a slice",
        inputs={"x": draw(rng, 4, 1)},
        rule=ONE,
        note="The only score there is gets all the weight.",
    )
    yield Case(
        "one slice", inputs={"x": draw(rng, 1, 6)}, rule=ONE, note="A table of one row is a table."
    )
    yield Case(
        "rows of very different size",
        inputs={"x": rows_of_different_size(rng)},
        rule=LARGE,
        note="A row next to 10 000, one next to -10 000, and an ordinary one.",
    )
    yield Case(
        "one large score in a slice",
        inputs={"x": rng.permutation([10_000, -10_000, 100, 0]).astype(np.float32)[:, None]},
        rule=LARGE,
        note="However large it is, the only score gets all the weight.",
    )
    yield Case(
        "many faint scores",
        inputs={"x": many_faint(rng)},
        rule=LARGE,
        note="Thousands of scores far below the largest weigh nothing together.",
    )
    yield Case(
        "minus infinity beside scores near -10 000",
        inputs={"x": low_and_unavailable(rng)},
        rule=LARGE,
        note="However low a score is, it is not as low as one that is not available.",
    )
    yield Case(
        "every score near -40",
        inputs={"x": draw(rng, 3, 8) - np.float32(40)},
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "some scores are minus infinity",
        inputs={"x": some_unavailable(rng)},
        rule=UNAVAILABLE,
        note="Entries that are not available, in two rows hundreds of them side by side.",
    )
    yield Case(
        "whole slices are minus infinity",
        inputs={"x": slices_unavailable(rng)},
        rule=NOTHING,
        note="Slices in which nothing is available, beside ordinary ones.",
    )
    yield Case(
        "a whole column is minus infinity",
        inputs={"x": column_unavailable(rng)},
        options={"axis": 0},
        rule=NOTHING,
        note="A row and a column in which nothing is available; the columns are the slices.",
    )
    yield Case(
        "one score in a slice, some minus infinity",
        inputs={"x": single_scores(rng)},
        rule=NOTHING,
        note="A slice of one score that is not available has nothing available.",
    )
    yield Case(
        "integers",
        inputs={"x": whole_numbers(rng)},
        rule=INTEGERS,
        note="Scores may be integers, also larger ones; weights are not.",
    )
    yield Case(
        "double precision",
        inputs={"x": between_floats(rng)},
        rule=PRECISION,
        note="float64 scores near 650, of which float32 keeps no more than four decimals.",
    )
    yield Case(
        "the input afterwards",
        inputs={"x": draw(rng, 3, 5, dtype=np.float64)},
        wants=("after.x",),
        rule=ALONE,
        note="The caller goes on using x. Only x is looked at. It is float64.",
    )
    yield Case(
        "a read-only input",
        inputs={"x": draw(rng, 4, 6)},
        layout={"x": "readonly"},
        rule=ALONE,
        note="In NumPy, x refuses to be written to.",
    )
    yield Case(
        "a view",
        inputs={"x": draw(rng, 2, 5, 7)},
        layout={"x": "strided"},
        rule=VIEWS,
        note="x has gaps between its entries, as slicing makes them.",
    )
    yield Case(
        "a second call",
        inputs={"x": draw(rng, 6, 8)},
        before={"x": draw(rng, 6, 8)},
        rule=NO_MEMORY,
        note="The second call has the shape of the first, and other numbers.",
    )
    yield Case(
        "rows some hundreds apart",
        inputs={"x": draw(rng, 3, 9) + rng.permutation(np.float32([[80], [-90], [-260]]))},
        rule=LARGE,
        note="All scores lie within a few hundred, and each row is far from the others.",
    )
    holes = between_floats(rng)[:, :89].copy()
    holes[rng.permuted(np.tile(np.arange(89) < 40, (3, 1)), axis=1)] = -np.inf
    yield Case(
        "double precision, with minus infinity",
        inputs={"x": holes},
        rule=PRECISION,
        note="float64 scores near 650 again, and some that are not available.",
    )
    yield Case(
        "integers, column by column",
        inputs={"x": whole_numbers(rng)[:, :5].T.copy()},
        options={"axis": 0},
        rule=AXIS,
        note="The axis is one to choose, whatever the type of the scores.",
    )


def domain(rng):
    """Any shape and axis, scores from -10 000 to 10 000, equal ones, -inf anywhere, every dtype."""
    for number in range(70):
        shape = tuple(rng.choice([1, 1, 2, 3, 5], rng.integers(1, 5)))
        axis = int(rng.integers(-len(shape), len(shape)))
        yield Case(str(number), inputs={"x": any_scores(rng, shape)}, options={"axis": axis})


def any_scores(rng, shape):
    x = rng.choice([0.1, 2, 30, 3000]) * rng.standard_normal(shape)
    x = np.clip(x + rng.choice([0, 0, 100, -100, 9000, -9000]), -10_000, 10_000)
    style = rng.integers(6)
    if style == 0:
        return np.round(x).astype(np.int64)
    if style == 1:
        x = np.round(x / 2)
    if style == 2:
        x[...] = rng.choice([-10_000, 0, 1, 10_000])
    if style >= 4:
        x[rng.random(shape) < rng.choice([0.3, 0.9])] = -np.inf
    return x.astype(rng.choice([np.float32, np.float64]))
