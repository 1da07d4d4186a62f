import numpy as np

from grader.case import Case

TIES = "Ties go to the lower index"
FAINT = "Faint weights are ranked too"
ONE = "Any size may be one"
LARGE = "Large scores"
INTEGERS = "Integers give floats"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"


def tokens(rng, n, d, digits=None):
    """Vectors of different lengths, drawn until no two weights of a row are close: the order is
    never in doubt.
    """
    while True:
        x = rng.normal(size=(n, d)) * rng.uniform(0.6, 1.3, size=(n, 1))
        x = (x if digits is None else (2 * x).round(digits) + 0.0).astype(np.float32)
        if distinct(x):
            return x


def distinct(x):
    scores = x.astype(np.float64) @ x.T.astype(np.float64) / np.sqrt(x.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = np.sort(weights / weights.sum(axis=-1, keepdims=True), axis=-1)
    return np.diff(weights).min(initial=1) > 3e-4


def lattice(rng, n):
    """Whole numbers in 16 columns: scores and scale are exact in any order of arithmetic, so ties
    are ties for everybody.
    """
    return rng.permuted(np.tile([-1, 0, 0, 1], (n, 4)), axis=1).astype(np.float32)


def rose(rng):
    """Five tokens, the third and the fifth alike and along one axis, so that their scores are equal
    to the last bit.
    """
    while True:
        x = rng.integers(-2, 3, size=(4, 4)).astype(np.float32)
        x[2] = [0, 0, 2, 0]
        if distinct(x):
            return x[[0, 1, 2, 3, 2]]


def faint(rng):
    """The later a token, the higher its score; in the last row two weights are below 1e-27, and
    float32 still holds them in full.
    """
    x = rng.normal(size=(5, 12)) * 0.05
    x[:, 0] += [0.6, 2.5, 5, 8, 16.2]
    return x.astype(np.float32)


def large_scores(rng):
    """Two tokens whose scores among themselves are 10 000 and three or six less, and three ordinary
    ones.
    """
    x = np.zeros((5, 16))
    x[:2, 0] = [200, 199.94]
    x[2:, 2] = np.array([2, 3, 5]) + rng.uniform(-0.2, 0.2, 3)
    return rng.permutation(x).astype(np.float32)


def far_behind(rng):
    """Two tokens whose scores among themselves are next to 10 000; each row, also that of the last
    token, has a score thousands lower for the last.
    """
    x = np.zeros((3, 16))
    x[:, 0] = [*rng.permutation([200, 199.94]), rng.uniform(90, 110)]
    return x.astype(np.float32)


def far_from_the_origin(rng):
    """float64 tokens with a large part in common. It adds about 640 to all scores, so that float32
    keeps no more than four decimals of them. The last token comes out ahead of one before it, by 1e-5
    in every score.
    """
    x = np.zeros((9, 12))
    while True:
        x[:, 1:] = 0.28 * rng.normal(size=(9, 11))
        if distinct(x):
            break
    x[:, 0] = 47
    x = np.concatenate([x, x[rng.integers(9)][None]])
    x[9, 0] += 1e-5 * np.sqrt(12) / 47
    turn, _ = np.linalg.qr(rng.normal(size=(12, 12)))
    return x @ turn


def nearly_equal(rng):
    """Tokens that attend to one another nearly evenly. Each of the last ten is a little longer than
    one before it, and comes out ahead of it by a few ten thousandths of a weight.
    """
    x = np.array([2.0, 0, 0, 0]) + 0.3 * rng.standard_normal((31, 4)).clip(-2, 2)
    x[21:] = x[rng.permutation(21)[:10]] * 1.0002
    return x.astype(np.float32)


def cases(rng):
    yield Case(
        "four words",
        inputs={"x": tokens(rng, 4, 3, digits=1)},
        options={"k": 2},
        sample=True,
        labels=("The", "cat", "sat", "down"),
        note="The two largest weights of each row.",
    )
    yield Case(
        "a word twice",
        inputs={"x": rose(rng)},
        options={"k": 4},
        sample=True,
        labels=("a", "rose", "is", "red", "is"),
        rule=TIES,
        note="Two tokens with the same vector get the same weight.",
    )
    yield Case(
        "seven tokens",
        inputs={"x": tokens(rng, 7, 5)},
        options={"k": 3},
        note="The three largest weights of each row.",
    )
    yield Case(
        "all of them",
        inputs={"x": tokens(rng, 6, 6)},
        options={"k": 6},
        same="k = n = D on purpose: every token is listed, and x is square",
        note="The whole row in order. x is a square matrix.",
    )
    pairs = lattice(rng, 5)[[0, 1, 2, 3, 4, 4, 3, 2, 1, 0]]
    yield Case(
        "every word twice",
        inputs={"x": pairs},
        options={"k": 7},
        rule=TIES,
        note="Equal weights in pairs, and a pair may be cut in two.",
    )
    refrain = lattice(rng, 300)
    refrain[::3] = refrain[0]
    yield Case(
        "a long text with many ties",
        inputs={"x": refrain},
        options={"k": 37},
        rule=TIES,
        note="Many tokens share a weight: who comes first among them?",
    )
    echo = np.tile(lattice(rng, 1), (47, 1))  # 1/47 has more than six decimals
    yield Case(
        "the same word throughout",
        inputs={"x": echo},
        options={"k": 25},
        rule=TIES,
        note="All weights are equal.",
    )
    yield Case(
        "nearly equal weights",
        inputs={"x": nearly_equal(rng)},
        options={"k": 23},
        rule=FAINT,
        note="Weights that agree in three digits are not equal.",
    )
    yield Case(
        "faint weights",
        inputs={"x": faint(rng)},
        options={"k": 5},
        rule=FAINT,
        same="k = n on purpose: the tiny weights are the ones that matter",
        note="Tiny weights are not equal because they are small, not even below 1e-27.",
    )
    yield Case(
        "only the first",
        inputs={"x": tokens(rng, 5, 6)},
        options={"k": 1},
        rule=ONE,
        note="One column is still a column.",
    )
    yield Case(
        "one token",
        inputs={"x": tokens(rng, 1, 3)},
        options={"k": 1},
        rule=ONE,
        same="n = k = 1: there is nothing else",
        note="A token alone has itself to look at.",
    )
    yield Case(
        "vectors of one number",
        inputs={"x": tokens(rng, 3, 1)},
        options={"k": 2},
        rule=ONE,
        note="D = 1.",
    )
    yield Case(
        "scores up to 10 000",
        inputs={"x": large_scores(rng)},
        options={"k": 2},
        rule=LARGE,
        note="Two rows of scores next to 10 000, and three ordinary rows.",
    )
    yield Case(
        "one token far behind",
        inputs={"x": far_behind(rng)},
        options={"k": 3},
        rule=LARGE,
        same="k = n on purpose: every token is listed",
        note="The last token scores thousands lower than the others, with itself too.",
    )
    yield Case(
        "one token with a large score",
        inputs={
            "x": (rng.permutation([160, 96, 0, 72]) * np.float32(0.999)).astype(np.float32)[None]
        },
        options={"k": 1},
        rule=LARGE,
        same="n = k = 1: there is nothing else",
        note="However large its score is, the only token looks at itself.",
    )
    whole = tokens(rng, 5, 3, digits=0).astype(np.int64)
    yield Case(
        "whole numbers",
        inputs={"x": whole},
        options={"k": 2},
        rule=INTEGERS,
        note="Integers go in, weights are still fractions.",
    )
    yield Case(
        "double precision",
        inputs={"x": far_from_the_origin(rng)},
        options={"k": 8},
        rule=PRECISION,
        note="float64 tokens. All scores lie near 640, and differ in what follows, two of them in the"
        " fifth decimal.",
    )
    yield Case(
        "x afterwards",
        inputs={"x": tokens(rng, 6, 4).astype(np.float64)},
        options={"k": 2},
        wants=("after.x",),
        rule=ALONE,
        note="The caller still needs its array. Only x is looked at. It is float64.",
    )
    yield Case(
        "read-only x",
        inputs={"x": tokens(rng, 6, 5)},
        options={"k": 3},
        layout={"x": "readonly"},
        rule=ALONE,
        note="In NumPy, x refuses to be written to.",
    )
    yield Case(
        "strided x",
        inputs={"x": tokens(rng, 7, 4)},
        options={"k": 3},
        layout={"x": "strided"},
        rule=VIEWS,
        note="A view with gaps between the entries, as slicing makes it.",
    )
    yield Case(
        "x in another order in memory",
        inputs={"x": tokens(rng, 8, 5)},
        options={"k": 4},
        layout={"x": "transposed"},
        rule=VIEWS,
        note="In memory the first axis is fastest, as in a transposed matrix.",
    )
    yield Case(
        "a second call",
        inputs={"x": tokens(rng, 7, 6)},
        before={"x": tokens(rng, 7, 6)},
        options={"k": 3},
        rule=NO_MEMORY,
        note="The second call has the shape of the first, and other numbers.",
    )


def domain(rng):
    """Any sizes, scaled scores from -10 000 to 10 000; ties come from small whole numbers."""
    for number in range(70):
        n, d = rng.choice([1, 1, 2, 3, 5, 8], 2)
        options = {"k": int(rng.integers(1, n + 1))}
        x = rng.standard_normal((n, d))
        style = rng.integers(3)
        if style == 0:
            x = np.round(1.5 * x)
            yield Case(str(number), inputs={"x": x.astype(np.int64)}, options=options)
            continue
        largest = np.abs(x @ x.T).max() / np.sqrt(d)
        x = np.round(x) if style == 1 else x * np.sqrt(rng.choice([1, 10, 40]) / largest)
        dtype = rng.choice([np.float32, np.float64])
        yield Case(str(number), inputs={"x": x.astype(dtype)}, options=options)
