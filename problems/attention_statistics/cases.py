import numpy as np

from grader.case import Case


def maps(rng, h, length, s, hidden=None, sharp=1.5):
    """Weights of random scores; where `hidden` is true they are 0, and a row that is hidden whole
    is 0 throughout.
    """
    raw = np.exp(sharp * rng.normal(size=(h, length, s)))
    raw = raw if hidden is None else np.where(hidden, 0, raw)
    total = raw.sum(axis=-1, keepdims=True)
    return (raw / np.where(total > 0, total, 1)).astype(np.float32)


def tenths(rng, h, length, s):
    """Weights in whole tenths, for the eye."""
    return (rng.multinomial(10 - s, np.full(s, 1 / s), size=(h, length)) + 1).astype(
        np.float32
    ) / np.float32(10)


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
        same="L = S: the queries and the keys are the same three words",
        note="Weights of exactly 0 add nothing to an entropy.",
    )
    yield Case(
        "more keys",
        inputs={"weights": maps(rng, 3, 5, 8)},
        note="The diagonal ends with the last query.",
    )
    yield Case(
        "more keys, other values",
        inputs={"weights": maps(rng, 3, 5, 8)},
        note="The shape of the case before, with different numbers in it.",
    )
    yield Case(
        "more queries",
        inputs={"weights": maps(rng, 4, 7, 3)},
        note="The diagonal ends with the last key.",
    )
    yield Case(
        "causal",
        inputs={"weights": maps(rng, 4, 6, 6, hidden=~np.tri(6, dtype=bool))},
        same="L = S: a sequence that attends to itself",
        note="Half of the map is exactly 0.",
    )
    some = np.zeros((3, 6, 4), dtype=bool)
    some[:, [0, 3]] = True
    yield Case(
        "queries that see nothing",
        inputs={"weights": maps(rng, 3, 6, 4, hidden=some)},
        note="Two rows of every head are 0 throughout.",
    )
    picks = rng.permutation(7)[:5]
    yield Case(
        "one key each",
        inputs={
            "weights": np.stack(
                [np.eye(7, dtype=np.float32)[picks], np.eye(7, dtype=np.float32)[picks[::-1]]]
            )
        },
        note="Heads that are certain have an entropy of 0.",
    )
    yield Case(
        "square",
        inputs={"weights": maps(rng, 4, 4, 4)},
        same="H = L = S, so that a sum along a wrong axis has a right shape",
        note="All sizes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "one head", inputs={"weights": maps(rng, 1, 3, 5)}, note="A mean over a single head."
    )
    yield Case(
        "one query",
        inputs={"weights": maps(rng, 3, 1, 4)},
        note="A decoding step: a single query and its keys.",
    )
    heads, queries = int(rng.integers(2, 7)), int(rng.integers(7, 16))
    yield Case(
        "one key",
        inputs={"weights": maps(rng, heads, queries, 1)},
        note="All attention goes to the only key.",
    )
    yield Case(
        "double precision",
        inputs={"weights": maps(rng, 3, 4, 6).astype(np.float64)},
        wants=("received", "diagonal"),
        note="float64 goes in, so float64 comes out.",
    )
    heads, queries, keys = (
        int(rng.integers(2, 5)),
        int(rng.integers(5, 9)),
        int(rng.integers(9, 13)),
    )
    yield Case(
        "double precision, nothing seen",
        inputs={"weights": np.zeros((heads, queries, keys))},
        note="Zeros in float64 still make results in float64, the entropy too.",
    )
    yield Case(
        "weights afterwards",
        inputs={"weights": maps(rng, 2, 5, 5, hidden=~np.tri(5, dtype=bool))},
        wants=("entropy", "received", "diagonal", "after.weights"),
        same="L = S: a sequence that attends to itself",
        note="The caller still needs its array, zeros included.",
    )
    yield Case(
        "strided weights",
        inputs={"weights": maps(rng, 2, 4, 6)},
        layout={"weights": "strided"},
        note="A view with gaps between the entries, as slicing makes it.",
    )
    yield Case(
        "read-only weights",
        inputs={"weights": maps(rng, 2, 6, 5)},
        layout={"weights": "readonly"},
        note="An array that refuses to be written to.",
    )
