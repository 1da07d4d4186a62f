import numpy as np

from grader.case import Case


def tokens(rng, n, d, digits=None):
    """Vectors of different lengths, drawn until no two scores in a row are closer than 0.02: the
    order is never in doubt.
    """
    while True:
        x = rng.normal(size=(n, d)) * rng.uniform(0.7, 1.8, size=(n, 1))
        x = (x if digits is None else x.round(digits) + 0.0).astype(np.float32)
        if distinct(x):
            return x


def distinct(x):
    scores = np.sort(x.astype(np.float64) @ x.T.astype(np.float64) / np.sqrt(x.shape[-1]), axis=-1)
    return np.diff(scores).min(initial=1) > 0.02 and np.ptp(scores) < 12


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
        note="Two tokens with the same vector get the same weight.",
    )
    yield Case(
        "seven tokens",
        inputs={"x": tokens(rng, 7, 5)},
        options={"k": 3},
        note="The three largest weights of each row.",
    )
    yield Case(
        "seven tokens, other values",
        inputs={"x": tokens(rng, 7, 5)},
        options={"k": 3},
        note="The shapes of the case before, with different numbers in them.",
    )
    yield Case(
        "only the first",
        inputs={"x": tokens(rng, 6, 4)},
        options={"k": 1},
        note="One column is still a column.",
    )
    yield Case(
        "all of them",
        inputs={"x": tokens(rng, 6, 4)},
        options={"k": 6},
        same="k = n on purpose: every token is listed",
        note="The whole row in order.",
    )
    yield Case(
        "one token",
        inputs={"x": tokens(rng, 1, 3)},
        options={"k": 1},
        same="n = k = 1: there is nothing else",
        note="A token alone has itself to look at.",
    )
    pairs = lattice(rng, 5)[[0, 1, 2, 3, 4, 4, 3, 2, 1, 0]]
    yield Case(
        "every word twice",
        inputs={"x": pairs},
        options={"k": 7},
        note="Equal weights in pairs, and a pair may be cut in two.",
    )
    refrain = lattice(rng, 60)
    refrain[::3] = refrain[0]
    yield Case(
        "a long text with many ties",
        inputs={"x": refrain},
        options={"k": 37},
        note="Many tokens share a weight: who comes first among them?",
    )
    faint = rng.normal(size=(5, 16)) * 0.05
    # the later a token, the higher its score, by one or more: the last weights are tiny
    faint[:, 0] += 2 * np.arange(1, 6)
    yield Case(
        "faint weights",
        inputs={"x": faint.astype(np.float32)},
        options={"k": 5},
        same="k = n on purpose: the tiny weights are the ones that matter",
        note="Weights below one in ten thousand are not equal because they are small.",
    )
    echo = np.tile(lattice(rng, 1), (40, 1))
    yield Case(
        "the same word throughout",
        inputs={"x": echo},
        options={"k": 25},
        note="All weights are equal.",
    )
    yield Case(
        "double precision",
        inputs={"x": tokens(rng, 7, 3).astype(np.float64)},
        options={"k": 4},
        note="float64 goes in, so float64 comes out.",
    )
    whole = tokens(rng, 4, 3, digits=0).astype(np.int64)
    yield Case(
        "whole numbers",
        inputs={"x": whole},
        options={"k": 2},
        note="Integers go in, weights are still fractions.",
    )
    large = np.zeros((6, 16))
    # three tokens that score ten thousand among themselves, and three that score little with
    # anybody
    large[:3, 0] = 200
    large[:, 2] = np.concatenate([rng.permutation([1, 2, 4]) for _ in range(2)])
    yield Case(
        "scores of ten thousand",
        inputs={"x": large.astype(np.float32)},
        options={"k": 2},
        note="Some rows have huge scores and others small ones.",
    )
    yield Case(
        "x afterwards",
        inputs={"x": tokens(rng, 6, 4)},
        options={"k": 2},
        wants=("indices", "weights", "after.x"),
        note="The caller still needs its array.",
    )
    yield Case(
        "strided x",
        inputs={"x": tokens(rng, 6, 4)},
        options={"k": 3},
        layout={"x": "strided"},
        note="A view with gaps between the entries, as slicing makes it.",
    )
    yield Case(
        "read-only x",
        inputs={"x": tokens(rng, 5, 4)},
        options={"k": 3},
        layout={"x": "readonly"},
        note="An array that refuses to be written to.",
    )
