import numpy as np

from grader.case import Case


def draw(rng, *shape, spread=1.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def query_keys_values(rng, n, d, dv, dtype=np.float32):
    """The scaled scores have a spread of about 2: the query's length is fixed, so that it never
    depends on luck.
    """
    query = draw(rng, d, dtype=dtype)
    query *= 2 * d**0.5 / np.linalg.norm(query)
    return {
        "query": query.astype(dtype),
        "keys": draw(rng, n, d, dtype=dtype),
        "values": draw(rng, n, dv, dtype=dtype),
    }


def large_scores(rng, sign):
    """All scaled scores between 7600 and 9900 in size, and hundreds apart."""
    inputs = query_keys_values(rng, 4, 5, 3)
    inputs["query"][:] = [sign * 170, 0, 0, 0, 0]
    inputs["keys"][:, 0] = rng.permutation([100, 110, 120, 130])
    return inputs


def rounded(inputs):
    return {name: np.round(x, 1) for name, x in inputs.items()}


def cases(rng):
    yield Case(
        "three keys",
        inputs=rounded(query_keys_values(rng, 3, 2, 4)),
        sample=True,
        note="The plain definition.",
    )
    yield Case(
        "five words",
        inputs=rounded(query_keys_values(rng, 5, 3, 2)),
        sample=True,
        labels=("The", "cat", "sat", "on", "mats"),
        note="One query reads a sentence of five words.",
    )
    yield Case(
        "inputs stay as they are",
        inputs=query_keys_values(rng, 5, 4, 3),
        layout={"query": "strided", "keys": "strided"},
        wants=("output", "weights", "after.query", "after.keys", "after.values"),
        note="The caller goes on using all three. Here query and keys are non-contiguous.",
    )
    yield Case(
        "six keys", inputs=query_keys_values(rng, 6, 4, 3), note="Values narrower than keys."
    )
    yield Case(
        "six keys, other values",
        inputs=query_keys_values(rng, 6, 4, 3),
        note="The same shapes again with new numbers.",
    )
    yield Case(
        "wide vectors",
        inputs=query_keys_values(rng, 7, 64, 5),
        layout={"query": "readonly", "keys": "readonly", "values": "readonly"},
        note="64 dimensions. The inputs are read-only in NumPy.",
    )
    yield Case(
        "as many keys as dimensions",
        inputs=query_keys_values(rng, 5, 5, 3, dtype=np.float64),
        same="n = d, so that the shape of keys does not tell its axes apart",
        note="keys is a square matrix, and everything is float64.",
    )
    yield Case(
        "one key",
        inputs=query_keys_values(rng, 1, 4, 3),
        note="The only key there is gets all the attention.",
    )
    yield Case("scores near 10 000", inputs=large_scores(rng, 1), note="Every score is very large.")
    yield Case(
        "scores near -10 000",
        inputs=large_scores(rng, -1),
        note="Every score is very large and negative.",
    )
    yield Case("a long memory", inputs=query_keys_values(rng, 257, 8, 6), note="257 keys.")
