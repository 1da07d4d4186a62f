"""Attention as a module: the plain definition, with sizes that tell every pair of axes apart."""

import numpy as np

from grader.case import Case

GAIN = {"W_q.weight": 1.6, "W_k.weight": 1.2, "W_v.weight": 1.2}


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def weights(rng, E):
    """Projections such that the scores spread over about 2 when the tokens are unit-normal."""
    return {name: normal(rng, E, E) * np.float32(gain / np.sqrt(E)) for name, gain in GAIN.items()}


def rounded(arrays):
    return {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}


def case(rng, name, B, n, E, **rest):
    return Case(
        name, inputs={"x": normal(rng, B, n, E)}, init={"d_model": E}, state=weights(rng, E), **rest
    )


def sample(rng, name, B, n, E, **rest):
    return Case(
        name,
        inputs=rounded({"x": normal(rng, B, n, E)}),
        init={"d_model": E},
        state=rounded(weights(rng, E)),
        sample=True,
        **rest,
    )


def cases(rng):
    yield sample(
        rng,
        "three words",
        1,
        3,
        2,
        labels=("The", "cat", "sat"),
        note="The plain definition: three words, two numbers each.",
    )
    yield sample(
        rng,
        "two examples of two tokens",
        2,
        2,
        3,
        same="two examples of two tokens fit on the page",
        note="The examples of a batch are computed side by side and know nothing of one another.",
    )
    yield case(
        rng,
        "a batch",
        2,
        5,
        8,
        note="Batch, tokens and width all differ, so no axis can stand in for another.",
    )
    yield case(
        rng,
        "a batch, other values",
        2,
        5,
        8,
        note="The same shape again with other numbers: nothing may be remembered.",
    )
    yield case(
        rng,
        "more tokens than columns",
        3,
        9,
        4,
        note="The sequence is longer than a token is wide.",
    )
    yield case(
        rng,
        "as many tokens as columns",
        2,
        6,
        6,
        same="n = E, so a reshape or a transpose of the wrong thing does not show in the shape",
        note="The keys form a square: are they transposed or only reshaped, and along what is the scale measured?",
    )
    yield case(
        rng,
        "as many tokens as examples",
        4,
        4,
        6,
        same="B = n, so a wrong axis does not show in the shape",
        note="Batch and sequence are equally long: which axis is which?",
    )
    yield case(rng, "wide tokens", 2, 4, 64, note="The wider a token, the more its scale matters.")
    yield case(rng, "one example", 1, 4, 6, note="A batch of one is still a batch.")
    yield case(rng, "one token", 3, 1, 5, note="The shortest sequence: its only weight is 1.")
    yield Case(
        "scores near a thousand",
        **high(rng),
        init={"d_model": 8},
        note="Scores that exp cannot take in float32, high in one example and low in the other.",
    )
    double = case(rng, "float64", 2, 3, 7)
    yield Case(
        "float64",
        inputs={"x": double.inputs["x"].astype(np.float64)},
        init=double.init,
        state={name: array.astype(np.float64) for name, array in double.state.items()},
        note="The whole module in double precision.",
    )
    yield case(
        rng,
        "x stays as it was",
        3,
        4,
        5,
        wants=("output", "weights", "after.x"),
        note="The caller's tensor is looked at again after the call.",
    )
    yield case(
        rng,
        "non-contiguous tokens",
        2,
        3,
        8,
        layout={"x": "strided"},
        note="x is a view with gaps between its elements.",
    )
    yield case(
        rng,
        "a second call",
        2,
        4,
        9,
        before={"x": normal(rng, 2, 4, 9)},
        note="The same module was called before with other tokens: nothing may be kept from that call.",
    )
    yield case(
        rng,
        "a longer sequence than before",
        3,
        7,
        5,
        before={"x": normal(rng, 3, 2, 5)},
        note="The same module was called before with a shorter sequence.",
    )
    yield case(
        rng,
        "train mode",
        3,
        4,
        7,
        train=True,
        note="Nothing here is random: train mode changes nothing.",
    )
    learned = ("grad.x", *(f"grad.{name}" for name in GAIN))
    yield case(
        rng,
        "gradients of the output",
        2,
        5,
        7,
        wants=("output", *learned),
        note="The tokens and all three weights learn from the output.",
    )
    yield case(
        rng,
        "gradients of the weights",
        3,
        4,
        6,
        wants=("weights", "grad.x", "grad.W_q.weight", "grad.W_k.weight"),
        note="A loss on the attention pattern itself teaches the two layers that make it.",
    )


def high(rng, B=2, n=5, E=8):
    """Tokens share a large common part, which shifts all scores of an example and says nothing
    about which key to prefer.
    """
    x = normal(rng, B, n, E) * np.float32(1.4)
    x -= x.mean(axis=-1, keepdims=True)
    x += np.array([18.5, 3.0], dtype=np.float32)[:, None, None]
    state = weights(rng, E)
    state["W_q.weight"] = np.eye(E, dtype=np.float32)
    state["W_k.weight"] = np.eye(E, dtype=np.float32)
    # the values do not have it
    state["W_v.weight"] -= state["W_v.weight"].mean(axis=1, keepdims=True)
    return {"inputs": {"x": x}, "state": state}
