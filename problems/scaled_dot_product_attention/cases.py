import numpy as np

from grader.case import Case


def draw(rng, *shape, spread=1.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def qkv(rng, lead, n_queries, n_keys, d, dv, dtype=np.float32):
    """Queries, keys and values whose scaled scores have a spread of about 2."""
    return {
        "q": draw(rng, *lead, n_queries, d, spread=1.6, dtype=dtype),
        "k": draw(rng, *lead, n_keys, d, spread=1.3, dtype=dtype),
        "v": draw(rng, *lead, n_keys, dv, dtype=dtype),
    }


def large_scores(rng):
    """Query 0 scores near +10 000 with every key, query 1 near -10 000, query 2 as usual;
    neighbours are hundreds apart.
    """
    inputs = qkv(rng, (2,), 3, 4, 5, 6)
    for b in range(2):
        inputs["k"][b, :, 0] = rng.permutation([100, 110, 120, 130])
    inputs["q"][:, :2] = 0
    inputs["q"][:, 0, 0], inputs["q"][:, 1, 0], inputs["q"][:, 2, 0] = 170, -170, 0
    return inputs


def cases(rng):
    yield Case(
        "five words",
        inputs={name: np.round(x, 1) for name, x in qkv(rng, (), 5, 5, 4, 3).items()},
        sample=True,
        labels=("The", "cat", "sat", "on", "mats"),
        same="the words of one sentence attend to each other: L = S",
        note="The plain definition on one sentence.",
    )
    yield Case(
        "two queries, three keys",
        inputs={name: np.round(x, 1) for name, x in qkv(rng, (), 2, 3, 4, 1).items()},
        sample=True,
        note="Queries and keys need not be equally many.",
    )
    yield Case(
        "inputs stay as they are",
        inputs=qkv(rng, (2,), 3, 5, 4, 6),
        layout={"q": "strided", "k": "strided"},
        wants=("output", "weights", "after.q", "after.k", "after.v"),
        note="The caller goes on using q, k and v. Here q and k are non-contiguous.",
    )
    yield Case("batch and heads", inputs=qkv(rng, (2, 3), 4, 6, 8, 5), note="Two leading sizes.")
    yield Case(
        "batch and heads, other values",
        inputs=qkv(rng, (2, 3), 4, 6, 8, 5),
        wants=("output", "weights", "grad.q", "grad.k", "grad.v"),
        note="The same shapes again with new numbers; in PyTorch also the gradients.",
    )
    yield Case(
        "leading sizes that broadcast",
        inputs={
            "q": draw(rng, 3, 1, 4, 6, spread=1.6),
            "k": draw(rng, 2, 5, 6, spread=1.3),
            "v": draw(rng, 7, 1, 1, 5, 8),
        },
        note="Leading sizes (3, 1), (2,) and (7, 1, 1) for q, k and v.",
    )
    yield Case(
        "a scale of 0.5",
        inputs=qkv(rng, (2,), 4, 3, 6, 5),
        options={"scale": 0.5},
        note="The caller chooses the scale.",
    )
    yield Case(
        "a scale of zero",
        inputs=qkv(rng, (2,), 5, 3, 4, 6),
        options={"scale": 0.0},
        layout={"q": "readonly", "k": "readonly", "v": "readonly"},
        note="Zero is a scale like any other. The inputs are read-only in NumPy.",
    )
    yield Case(
        "scores near 10 000",
        inputs=large_scores(rng),
        note="Two rows of very large scores, of either sign, beside an ordinary row.",
    )
    yield Case(
        "scores near 10 000, with a scale",
        inputs=large_scores(rng),
        options={"scale": 0.4},
        note="The same two kinds of rows, with a scale that the caller chose.",
    )
    yield Case(
        "as many keys as dimensions",
        inputs=qkv(rng, (2,), 3, 5, 5, 4, dtype=np.float64),
        same="S = D, so that the shape of k does not tell its axes apart",
        note="k is a square matrix, and everything is float64.",
    )
    yield Case(
        "one query, one key",
        inputs=qkv(rng, (2,), 1, 1, 4, 3),
        same="the smallest sizes there are: L = S = 1",
        note="The only key there is gets all the attention.",
    )
    yield Case(
        "a long sentence",
        inputs=qkv(rng, (), 257, 257, 16, 8),
        same="257 words attend to each other: L = S",
        note="257 queries and keys, with no leading size.",
    )
