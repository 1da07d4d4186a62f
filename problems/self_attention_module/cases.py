"""Self-attention as a module: the numbers of MHA, plus what a module adds (loaded parameters,
dtype, gradients).
"""

import numpy as np

from grader.case import Case

GAIN = {"W_q.weight": 1.6, "W_k.weight": 1.2, "W_v.weight": 1.2, "W_o.weight": 1.2}


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def weights(rng, E):
    """Projections such that the scores of a head spread over about 2 when the tokens are
    unit-normal.
    """
    return {name: normal(rng, E, E) * np.float32(gain / np.sqrt(E)) for name, gain in GAIN.items()}


def rounded(arrays):
    return {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}


def rows(B, n, shift=0):
    """A mask (B, 1, n, n) without luck: hides every third key, beginning elsewhere for each example
    and query.
    """
    b, _, i, j = np.indices((B, 1, n, n))
    return (b + i + 2 * j) % 3 != shift


def padding(B, n, lengths):
    """A mask (B, 1, 1, n): the first so many tokens of each example are real."""
    return (np.arange(n) < np.array(lengths)[:, None])[:, None, None, :]


def case(rng, name, B, n, E, heads, mask=None, layout=None, **rest):
    inputs = {"x": normal(rng, B, n, E)} | ({} if mask is None else {"mask": mask})
    init = {"d_model": E, "n_heads": heads}
    return Case(name, inputs=inputs, init=init, state=weights(rng, E), layout=layout or {}, **rest)


def cases(rng):
    init = {"d_model": 4, "n_heads": 2}
    words = ("The", "cat", "sat")
    yield Case(
        "three words, two heads",
        inputs=rounded({"x": normal(rng, 1, 3, 4)}),
        init=init,
        state=rounded(weights(rng, 4)),
        sample=True,
        labels=words,
        note="The plain definition: three words look at one another with two heads of width 2.",
    )
    yield Case(
        "the last word is padding",
        inputs={**rounded({"x": normal(rng, 1, 3, 4)}), "mask": padding(1, 3, [2])},
        init=init,
        state=rounded(weights(rng, 4)),
        sample=True,
        labels=("Cats", "sat", "<pad>"),
        note="Nobody looks at the last word, but it looks at the others.",
    )
    yield case(
        rng,
        "no mask",
        2,
        5,
        12,
        3,
        note="Batch, heads, tokens, head width and model width all differ, so no axis can stand in for another.",
    )
    yield case(
        rng,
        "no mask, other values",
        2,
        5,
        12,
        3,
        note="The same shapes again with other numbers: nothing may be remembered.",
    )
    yield case(
        rng,
        "the same width, other heads",
        2,
        5,
        12,
        4,
        note="The same shapes once more, cut into another number of heads.",
    )
    yield case(
        rng,
        "one head",
        3,
        4,
        5,
        1,
        note="With a single head the splitting does nothing, and all the rest must still be there.",
    )
    yield case(
        rng,
        "padding, as many examples as heads",
        3,
        5,
        12,
        3,
        padding(3, 5, [5, 2, 3]),
        note="A mask of shape (B, 1, 1, n), where there are as many examples as heads: which of the two does it belong to?",
    )
    yield case(
        rng,
        "padding",
        2,
        6,
        8,
        4,
        padding(2, 6, [4, 3]),
        note="Sequences of different lengths: the last tokens are only there to fill up.",
    )
    yield case(
        rng,
        "a row of keys for each query",
        2,
        5,
        12,
        3,
        rows(2, 5),
        note="A mask of shape (B, 1, n, n), different for each query.",
    )
    yield case(
        rng,
        "causal",
        2,
        6,
        10,
        5,
        np.broadcast_to(np.tri(6, dtype=bool), (2, 1, 6, 6)).copy(),
        note="The mask of a decoder: each token sees itself and what came before.",
    )
    blind = rows(2, 4, shift=1)
    blind[0, 0, 1] = False
    blind[1, 0, 3] = False
    yield case(
        rng,
        "rows with no visible key",
        2,
        4,
        10,
        2,
        blind,
        note="One query of each example sees nothing at all.",
    )
    yield case(
        rng,
        "an example of nothing but padding",
        3,
        4,
        6,
        2,
        padding(3, 4, [3, 0, 4]),
        note="One of the sequences in the batch is empty.",
    )
    yield Case(
        "loud keys behind the mask",
        **loud(rng),
        init={"d_model": 8, "n_heads": 2},
        note="The hidden keys have scores above 1e4, and still count for nothing.",
    )
    yield Case(
        "keys near a thousand behind the mask",
        **loud(rng, hidden=20.0),
        init={"d_model": 8, "n_heads": 2},
        note="The hidden keys have scores of about a thousand: too much for exp, and less than many a penalty.",
    )
    yield Case(
        "visible scores near -10 000",
        **loud(rng, visible=-200.8 - (np.arange(5)[:, None] + 2 * np.arange(2)) % 4, hidden=0.0),
        init={"d_model": 8, "n_heads": 2},
        note="What may be seen has very low scores, and what is hidden has ordinary ones.",
    )
    yield Case(
        "scores near a thousand",
        **high(rng),
        init={"d_model": 8, "n_heads": 2},
        note="Scores that exp cannot take in float32, high in one example and low in the other.",
    )
    double = case(rng, "float64", 2, 3, 10, 5, rows(2, 3))
    yield Case(
        "float64",
        inputs={"x": double.inputs["x"].astype(np.float64), "mask": double.inputs["mask"]},
        init=double.init,
        state={name: array.astype(np.float64) for name, array in double.state.items()},
        note="The whole module in double precision.",
    )
    yield case(rng, "one token", 2, 1, 6, 3, note="The shortest sequence: its only weight is 1.")
    yield case(
        rng,
        "inputs stay as they were",
        2,
        5,
        8,
        4,
        rows(2, 5, shift=2),
        wants=("output", "after.x", "after.mask"),
        note="The tensors of the caller are looked at again after the call.",
    )
    yield case(
        rng,
        "non-contiguous tokens",
        2,
        3,
        8,
        4,
        layout={"x": "strided"},
        note="x is a view with gaps between its elements.",
    )
    yield case(
        rng,
        "a second call",
        2,
        5,
        12,
        3,
        before={"x": normal(rng, 2, 5, 12)},
        note="The same module was called before with other tokens: nothing may be kept from that call.",
    )
    yield case(
        rng,
        "no mask, after a call with one",
        2,
        5,
        8,
        4,
        before={"x": normal(rng, 2, 5, 8), "mask": rows(2, 5)},
        note="The same module was called before with a mask. Now there is none.",
    )
    yield case(
        rng,
        "a mask, after a shorter sequence without one",
        3,
        6,
        10,
        5,
        rows(3, 6, shift=1),
        before={"x": normal(rng, 3, 4, 10)},
        note="The same module was called before with a shorter sequence and no mask.",
    )
    yield case(
        rng,
        "train mode",
        3,
        4,
        6,
        2,
        train=True,
        note="Nothing here is random: train mode changes nothing.",
    )
    learned = ("output", "grad.x", *(f"grad.{name}" for name in GAIN))
    yield case(
        rng, "gradients", 2, 5, 8, 2, wants=learned, note="The tokens and all four weights learn."
    )
    blind = rows(2, 5)
    blind[1, 0, 2] = False
    yield case(
        rng,
        "gradients with a row that sees nothing",
        2,
        5,
        9,
        3,
        blind,
        wants=learned,
        note="The row with no visible key must not spoil the gradients of the others.",
    )


def loud(rng, visible=0.0, hidden=250.0, B=2, n=5, H=2, D=4):
    """In each head, column 2 of a token asks and column 3 answers, as loudly as told: only real
    tokens ask, only padding is hidden.

    A score is 50 times the answer, give or take a few; the values do not have it.
    """
    E = H * D
    x = normal(rng, B, n, H, D) * np.float32(1.7)
    x[..., 2], x[..., 3] = 1.0, visible
    x[:, -1, :, 2], x[:, -1, :, 3] = 0.0, hidden
    state = weights(rng, E)
    ask, answer = np.diag([1.0, 1.0, 100.0, 0.0]), np.diag([0.8, 0.8, 0.0, 0.0])
    answer[0, 1], answer[1, 0], answer[2, 3] = 0.6, -0.6, 1.0
    for name, block in (("W_q.weight", ask), ("W_k.weight", answer)):
        state[name] = np.kron(np.eye(H), block).astype(np.float32)
    if np.any(visible):
        state["W_v.weight"][:, 3::D] = 0.0
    return {"inputs": {"x": x.reshape(B, n, E), "mask": padding(B, n, [n - 1] * B)}, "state": state}


def high(rng, B=2, n=5, H=2, D=4):
    """Tokens share a large common part, which shifts all scores of an example and says nothing
    about which key to prefer.
    """
    E = H * D
    x = normal(rng, B, n, H, D) * np.float32(1.7)
    x -= x.mean(axis=-1, keepdims=True)
    x += np.array([22.0, 4.0], dtype=np.float32)[:, None, None, None]
    state = weights(rng, E)
    state["W_q.weight"] = np.eye(E, dtype=np.float32)
    state["W_k.weight"] = np.eye(E, dtype=np.float32)
    # the values do not have it
    state["W_v.weight"] -= state["W_v.weight"].mean(axis=1, keepdims=True)
    return {"inputs": {"x": x.reshape(B, n, E)}, "state": state}
