import numpy as np

from grader.case import Case


def draw(rng, *shape, spread=1.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def words_and_matrices(rng, n, e, d, dv, dtype=np.float32):
    """The scaled scores have a spread of about 2."""
    return {
        "x": draw(rng, n, e, dtype=dtype),
        "w_q": draw(rng, e, d, spread=1.6 / e**0.5, dtype=dtype),
        "w_k": draw(rng, e, d, spread=1.3 / e**0.5, dtype=dtype),
        "w_v": draw(rng, e, dv, spread=1 / e**0.5, dtype=dtype),
    }


def rows_of_different_size(rng):
    """Word 0 scores near +9000 with every word, word 1 near -9000, words 2 and 3 as usual;
    neighbours are hundreds apart.

    The first entry of a word goes only into its query, the second only into its key.
    """
    inputs = words_and_matrices(rng, 4, 5, 3, 6)
    inputs["x"][:, 0] = [130, -130, 0, 0]
    inputs["x"][:, 1] = rng.permutation([100, 110, 120, 130])
    for name in ("w_q", "w_k", "w_v"):
        inputs[name][:2] = 0
    inputs["w_q"][:, 0], inputs["w_k"][:, 0] = [1, 0, 0, 0, 0], [0, 1, 0, 0, 0]
    return inputs


def rounded(inputs):
    return {name: np.round(x, 1) for name, x in inputs.items()}


def cases(rng):
    yield Case(
        "three words",
        inputs=rounded(words_and_matrices(rng, 3, 4, 2, 1)),
        sample=True,
        labels=("The", "cat", "sat"),
        note="The plain definition; each value is a single number.",
    )
    yield Case(
        "five words",
        inputs=rounded(words_and_matrices(rng, 5, 2, 3, 4)),
        sample=True,
        labels=("The", "cat", "sat", "on", "mats"),
        note="Queries and values wider than words.",
    )
    yield Case(
        "inputs stay as they are",
        inputs=words_and_matrices(rng, 5, 6, 3, 2),
        layout={"x": "strided", "w_k": "strided"},
        wants=("output", "weights", "after.x", "after.w_q", "after.w_k", "after.w_v"),
        note="The caller goes on using all four. Here x and w_k are non-contiguous.",
    )
    yield Case(
        "five words of width six",
        inputs=words_and_matrices(rng, 5, 6, 4, 3),
        note="Queries narrower than words.",
    )
    yield Case(
        "five words of width six, other values",
        inputs=words_and_matrices(rng, 5, 6, 4, 3),
        wants=("output", "weights", "grad.x", "grad.w_q", "grad.w_k", "grad.w_v"),
        note="The same shapes again with new numbers; in PyTorch also the gradients.",
    )
    yield Case(
        "wide queries",
        inputs=words_and_matrices(rng, 6, 5, 32, 7),
        layout={"x": "readonly", "w_q": "readonly", "w_k": "readonly", "w_v": "readonly"},
        note="Queries wider than words. The inputs are read-only in NumPy.",
    )
    yield Case(
        "all sizes equal",
        inputs=words_and_matrices(rng, 4, 4, 4, 4),
        same="n = E = D = Dv, so that no shape tells an axis apart",
        note="Every matrix is square.",
    )
    yield Case(
        "one word",
        inputs=words_and_matrices(rng, 1, 5, 4, 3),
        note="The only word there is attends to itself.",
    )
    yield Case(
        "in float64",
        inputs=words_and_matrices(rng, 7, 4, 5, 3, dtype=np.float64),
        note="More precise inputs give more precise results.",
    )
    yield Case(
        "rows of very different size",
        inputs=rows_of_different_size(rng),
        note="Scores near 9000, near -9000 and near 0.",
    )
    yield Case("a longer text", inputs=words_and_matrices(rng, 65, 16, 8, 12), note="65 words.")
