import numpy as np

from grader.case import Case


def draw(rng, *shape, spread=1.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def queries_keys_values(rng, b, n, d, dv, dtype=np.float32):
    """The scaled scores of each query have a spread of about 2: its length is fixed, so that it
    never depends on luck.
    """
    queries = rng.standard_normal((b, d))
    queries *= 2 * d**0.5 / np.linalg.norm(queries, axis=1, keepdims=True)
    return {
        "queries": queries.astype(dtype),
        "keys": draw(rng, n, d, dtype=dtype),
        "values": draw(rng, n, dv, dtype=dtype),
    }


def rows_of_different_size(rng):
    """Query 0 scores near +10 000 with every key, query 1 near -10 000, query 2 as usual;
    neighbours are hundreds apart.
    """
    inputs = queries_keys_values(rng, 3, 4, 5, 6)
    inputs["keys"][:, 0] = rng.permutation([100, 110, 120, 130])
    inputs["queries"][:2] = 0
    inputs["queries"][:, 0] = [170, -170, 0]
    return inputs


def rounded(inputs):
    return {name: np.round(x, 1) for name, x in inputs.items()}


def cases(rng):
    yield Case(
        "two queries, three keys",
        inputs=rounded(queries_keys_values(rng, 2, 3, 4, 1)),
        sample=True,
        note="The plain definition.",
    )
    yield Case(
        "two readers of five words",
        inputs=rounded(queries_keys_values(rng, 2, 5, 3, 4)),
        sample=True,
        labels=("The", "cat", "sat", "on", "mats"),
        note="Two queries read the same sentence of five words.",
    )
    yield Case(
        "inputs stay as they are",
        inputs=queries_keys_values(rng, 3, 5, 4, 2),
        layout={"queries": "strided", "keys": "strided"},
        wants=("output", "weights", "after.queries", "after.keys", "after.values"),
        note="The caller goes on using all three. Here queries and keys are non-contiguous.",
    )
    yield Case(
        "four queries, six keys",
        inputs=queries_keys_values(rng, 4, 6, 8, 3),
        note="Fewer queries than keys.",
    )
    yield Case(
        "four queries, six keys, other values",
        inputs=queries_keys_values(rng, 4, 6, 8, 3),
        layout={"queries": "readonly", "keys": "readonly", "values": "readonly"},
        note="The same shapes again with new numbers; read-only in NumPy.",
    )
    yield Case(
        "more queries than keys",
        inputs=queries_keys_values(rng, 9, 2, 4, 5),
        note="Nine queries share two keys.",
    )
    yield Case(
        "as many queries as keys",
        inputs=queries_keys_values(rng, 5, 5, 4, 3),
        same="b = n, so that the weights are a square matrix",
        note="The shape of the weights does not tell its axes apart.",
    )
    yield Case(
        "as many keys as dimensions",
        inputs=queries_keys_values(rng, 3, 5, 5, 4, dtype=np.float64),
        same="n = d, so that the shape of keys does not tell its axes apart",
        note="keys is a square matrix, and everything is float64.",
    )
    yield Case(
        "one query",
        inputs=queries_keys_values(rng, 1, 5, 4, 3),
        note="A batch of one is still a batch.",
    )
    yield Case(
        "one key",
        inputs=queries_keys_values(rng, 3, 1, 4, 5),
        note="The only key there is gets all the attention.",
    )
    yield Case(
        "rows of very different size",
        inputs=rows_of_different_size(rng),
        note="Scores near 10 000, near -10 000 and near 0.",
    )
    yield Case(
        "1 009 queries",
        inputs=queries_keys_values(rng, 1_009, 11, 5, 3),
        note="A prime number of queries, which no block size divides.",
    )
    yield Case(
        "65 537 queries",
        inputs=queries_keys_values(rng, 65_537, 12, 5, 3),
        cpu_factor=10,
        note="So many queries that they must be worked on together.",
    )
