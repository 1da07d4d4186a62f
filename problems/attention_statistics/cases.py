import numpy as np

from grader.case import Case, in_float64

ZEROS = "Zero weights add nothing"
NOTHING = "A query that sees nothing counts"
FAINT = "Faint weights count too"
AS_GIVEN = "Weights are taken as they are"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"


def maps(rng, h, length, s, hidden=None, sharp=1.5):
    """Weights of random scores; where `hidden` is true they are 0, and a row that is hidden whole
    is 0 throughout.
    """
    raw = np.exp(sharp * rng.normal(size=(h, length, s)).clip(-2, 2))  # no weight below 1e-4
    raw = raw if hidden is None else np.where(hidden, 0, raw)
    total = raw.sum(axis=-1, keepdims=True)
    return (raw / np.where(total > 0, total, 1)).astype(np.float32)


def tenths(rng, h, length, s):
    """Weights in whole tenths, for the eye."""
    return (rng.multinomial(10 - s, np.full(s, 1 / s), size=(h, length)) + 1).astype(
        np.float32
    ) / np.float32(10)


def faint(rng, h, length, s, share, dtype=np.float32):
    """Every query looks at one key, the first query at the first, but for a share that the others
    have.
    """
    others = rng.uniform(0.5, 1.5, size=(h, length, s)) * share / s
    best = rng.integers(s, size=(h, length, 1))
    best[:, 0] = 0
    np.put_along_axis(others, best, 0, axis=-1)
    np.put_along_axis(others, best, 1 - others.sum(axis=-1, keepdims=True), axis=-1)
    return others.astype(dtype)


def cases(rng):
    yield Case(
        "two heads",
        inputs={"weights": tenths(rng, 2, 3, 4)},
        sample=True,
        labels=("The", "cat", "sat", "down"),
        note="The plain definitions, with more keys than queries.",
    )
    quarter = np.float32(0.25)
    causal = np.array(
        [[1, 0, 0], [quarter, 3 * quarter, 0], [quarter, quarter, 2 * quarter]], dtype=np.float32
    )
    single = np.eye(3, dtype=np.float32)[np.full(3, rng.integers(3))]
    yield Case(
        "zeros",
        inputs={"weights": np.stack([causal, single])},
        sample=True,
        labels=("The", "cat", "sat"),
        rule=ZEROS,
        same="L = S: the queries and the keys are the same three words",
        note="Weights of exactly 0 add nothing to an entropy.",
    )
    yield Case(
        "more keys",
        inputs={"weights": maps(rng, 3, 5, 8)},
        note="The diagonal ends with the last query.",
    )
    yield Case(
        "more queries",
        inputs={"weights": maps(rng, 4, 7, 3)},
        layout={"weights": "transposed"},
        rule=VIEWS,
        note="The diagonal ends with the last key. In memory, the first axis changes fastest.",
    )
    yield Case(
        "causal",
        inputs={"weights": maps(rng, 4, 6, 6, hidden=~np.tri(6, dtype=bool))},
        rule=ZEROS,
        same="L = S: a sequence that attends to itself",
        note="Half of the map is exactly 0.",
    )
    picks = rng.permutation(7)[:5]
    yield Case(
        "one key each",
        inputs={
            "weights": np.stack(
                [np.eye(7, dtype=np.float32)[picks], np.eye(7, dtype=np.float32)[picks[::-1]]]
            )
        },
        rule=ZEROS,
        note="Heads that are certain have an entropy of 0.",
    )
    some = np.zeros((3, 6, 4), dtype=bool)
    some[:, [0, 3]] = True
    some[rng.integers(3)] = True
    yield Case(
        "queries that see nothing",
        inputs={"weights": maps(rng, 3, 6, 4, hidden=some)},
        rule=NOTHING,
        note="Two rows of every head are 0 throughout, and one head is.",
    )
    yield Case(
        "faint weights",
        inputs={"weights": faint(rng, 2, 3, 401, 0.02)},
        rule=FAINT,
        note="Four hundred keys that get almost nothing each.",
    )
    yield Case(
        "heads that are nearly certain",
        inputs={"weights": faint(rng, 3, 4, 6, 5e-6)},
        rule=FAINT,
        note="Entropies below a thousandth are not 0.",
    )
    loose = maps(rng, 3, 6, 5) * rng.uniform(0.3, 1.8, size=(3, 6, 1))
    # nearly 1, but not
    loose[1] *= rng.uniform(0.992, 0.997) / loose[1].sum(axis=-1, keepdims=True)
    loose[0] = 1.5 * faint(rng, 1, 6, 5, 0.1)  # weights above 1 have an entropy below 0
    yield Case(
        "rows of any sum",
        inputs={"weights": loose.astype(np.float32)},
        rule=AS_GIVEN,
        note="After dropout, for instance, a row sums to less or more than 1.",
    )
    yield Case(
        "rows with large sums",
        inputs={"weights": maps(rng, 2, 8, 6) * np.float32(900)},
        rule=AS_GIVEN,
        note="Every row sums to 900.",
    )
    yield Case(
        "rows with small sums",
        inputs={"weights": maps(rng, 11, 5, 3) / np.float32(2**16)},
        rule=AS_GIVEN,
        note="Every row sums to fifteen millionths, so the sixth decimal counts.",
    )
    yield Case(
        "square",
        inputs={"weights": maps(rng, 4, 4, 4)},
        rule=EQUAL,
        same="H = L = S, so that a sum along a wrong axis has a right shape",
        note="All sizes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "one head",
        inputs={"weights": maps(rng, 1, 3, 5)},
        rule=ONE,
        note="A mean over a single head.",
    )
    yield Case(
        "one query",
        inputs={"weights": maps(rng, 3, 1, 4)},
        rule=ONE,
        note="A decoding step: a single query and its keys.",
    )
    heads, queries = int(rng.integers(2, 7)), int(rng.integers(7, 16))
    yield Case(
        "one key",
        inputs={"weights": maps(rng, heads, queries, 1)},
        rule=ONE,
        note="All attention goes to the only key.",
    )
    yield Case(
        "double precision",
        inputs={"weights": maps(rng, 3, 4, 7).astype(np.float64) + 1e-9 * rng.random((3, 4, 7))},
        rule=PRECISION,
        note="float64 goes in, so float64 comes out.",
    )
    yield Case(
        "float64, heads that are nearly certain",
        inputs={"weights": faint(rng, 9, 61, 5, 1.3e-3, dtype=np.float64)},
        rule=PRECISION,
        note="Entropies below a hundredth keep their digits.",
    )
    yield in_float64(
        Case(
            "weights afterwards",
            inputs={"weights": maps(rng, 2, 5, 5, hidden=~np.tri(5, dtype=bool))},
            wants=("after.weights",),
            rule=ALONE,
            same="L = S: a sequence that attends to itself",
            note="The caller still needs its array, zeros included. Only it is looked at here.",
        )
    )
    yield Case(
        "read-only weights",
        inputs={"weights": maps(rng, 2, 6, 5)},
        layout={"weights": "readonly"},
        rule=ALONE,
        note="In NumPy, weights refuses to be written to.",
    )
    yield Case(
        "strided weights",
        inputs={"weights": maps(rng, 2, 4, 6)},
        layout={"weights": "strided"},
        rule=VIEWS,
        note="A view with gaps between the entries, as slicing makes it.",
    )
    yield Case(
        "a second call",
        inputs={"weights": maps(rng, 3, 5, 9)},
        before={"weights": maps(rng, 3, 5, 9)},
        rule=NO_MEMORY,
        note="The second call has the shape of the first, and other numbers.",
    )
    yield Case(
        "nothing but faint weights",
        inputs={"weights": rng.uniform(1.5e-9, 5e-9, (5, 3, 8)).astype(np.float32)},
        wants=("entropy",),
        rule=AS_GIVEN,
        note="Every weight is a few billionths, and none is 0. Only the entropies are looked at here.",
    )


def domain(rng):
    """Any sizes; rows that sum to anything, with zeros, faint weights and nothing at all."""
    for number in range(70):
        shape = rng.choice([1, 1, 2, 3, 5], 3)
        weights = rng.random(shape) ** rng.choice([1, 4, 20])
        weights[rng.random(shape) < rng.choice([0, 0.5])] = 0
        if rng.random() < 0.6:
            sums = weights.sum(axis=-1, keepdims=True)
            weights = weights / np.where(sums == 0, 1, sums)
        weights = weights * rng.choice([1, 1, 0.5, 3, 100])
        yield Case(
            str(number), inputs={"weights": weights.astype(rng.choice([np.float32, np.float64]))}
        )
