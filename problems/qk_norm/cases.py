"""Attention with normalised queries and keys. Vectors have a mean that is not 0 and lengths that
differ widely; gains differ from entry to entry, and epsilon is small unless a case is about it.
"""

import numpy as np

from grader.case import Case, in_float64

EPSILON = "The epsilon is the one that is given"
ZERO = "A vector of zeros stays zero"
LARGE = "Large scores"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"

NAMES = ("q", "k", "v", "gain_q", "gain_k")
SMALL = {"eps": 1e-6}


def tensors(rng, B, H, L, S, D, Dv, spread=1.0, digits=None):
    """Vectors of lengths from a half to twice the usual; gains such that scores have a spread of
    about 1.5.
    """
    q, k = (0.5 + rng.standard_normal((B, H, n, D)) for n in (L, S))
    q, k = (x * spread * 2 ** rng.uniform(-1, 1, (*x.shape[:-1], 1)) for x in (q, k))
    inputs = {
        "q": q,
        "k": k,
        "v": rng.standard_normal((B, H, S, Dv)),
        "gain_q": rng.uniform(0.7, 1.9, D) * np.where(np.arange(D) % 3 == 2, -1, 1),
        "gain_k": rng.uniform(0.7, 1.9, D) * np.where(np.arange(D) % 3 == 1, -1, 1),
    }
    if digits is not None:
        inputs = {name: np.round(x, digits) + 0.0 for name, x in inputs.items()}
    return {name: x.astype(np.float32) for name, x in inputs.items()}


def large_values(inputs):
    return inputs | {"v": inputs["v"] * np.float32(2**16)}


def small_values(inputs):
    """Small values, of which the first column is 0 and the last one faint. Powers of two round
    nothing.
    """
    v = inputs["v"]
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**4
    return inputs | {"v": v / np.float32(2**12)}


def cancelling(rng, B, H, pairs, D, Dv, eps):
    """One query in each head. Values near 1e5 cancel in the output, pair by pair, but for about 1:
    a rounding to float32 anywhere leaves more than 1e-3 of that.
    """
    inputs = tensors(rng, B, H, 1, 2 * pairs, D, Dv)
    inputs = {name: x.astype(float) * rng.uniform(0.9, 1, x.shape) for name, x in inputs.items()}
    q, k, v, gain_q, gain_k = inputs.values()
    q, k = (
        x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) * gain
        for x, gain in ((q, gain_q), (k, gain_k))
    )
    shares = np.exp((q * k).sum(axis=-1, keepdims=True) / np.sqrt(D))  # (B, H, S, 1)
    large = 1e5 * rng.standard_normal((B, H, pairs, Dv))
    v[..., ::2, :] += large / shares[..., ::2, :]
    v[..., 1::2, :] -= large / shares[..., 1::2, :]
    return inputs


def cases(rng):
    yield Case(
        "three words, two heads",
        inputs=tensors(rng, B=1, H=2, L=3, S=3, D=4, Dv=5, digits=1),
        options=SMALL,
        sample=True,
        labels=("The", "cat", "sat"),
        same="three words attend to each other: L = S",
        note="The values are averaged as they are.",
    )
    twice = tensors(rng, B=1, H=1, L=2, S=3, D=4, Dv=5, digits=1)
    twice["q"][:, :, 1] = 4 * twice["q"][:, :, 0]
    yield Case(
        "a long query and a short one",
        inputs=twice,
        options=SMALL,
        sample=True,
        same="one text and one head: B = H = 1",
        note="The second query is four times the first. Both point the same way, so their outputs agree.",
    )
    yield Case(
        "three heads",
        inputs=large_values(tensors(rng, B=2, H=3, L=4, S=6, D=8, Dv=5)),
        options=SMALL,
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield Case(
        "short vectors",
        inputs=small_values(tensors(rng, B=3, H=2, L=5, S=4, D=6, Dv=7, spread=0.1)),
        options=SMALL,
        layout={"q": "transposed", "v": "transposed"},
        note="Entries near a tenth, and small values.",
    )
    yield Case(
        "a longer text",
        inputs=tensors(rng, B=2, H=3, L=67, S=101, D=16, Dv=9),
        options=SMALL,
        note="67 queries and 101 keys.",
    )
    yield Case(
        "a large epsilon",
        inputs=tensors(rng, B=2, H=4, L=5, S=7, D=6, Dv=3),
        options={"eps": between(rng, 5, 20) / 10},
        rule=EPSILON,
        note="The epsilon is as large as the mean square itself.",
    )
    yield Case(
        "vectors as small as the epsilon",
        inputs=tensors(rng, B=2, H=4, L=3, S=5, D=7, Dv=6, spread=0.01),
        options={"eps": between(rng, 5, 20) / 1e5},
        rule=EPSILON,
        note="Epsilon and mean square are both near 1e-4.",
    )
    zero = tensors(rng, B=2, H=3, L=5, S=4, D=6, Dv=7)
    zero["q"][:, :, 1], zero["k"][:, 1, 2] = 0, 0
    yield Case(
        "a query of zeros and a key of zeros",
        inputs=zero,
        options=SMALL,
        rule=ZERO,
        note="Vectors without a direction.",
    )
    loud = tensors(rng, B=2, H=3, L=4, S=5, D=8, Dv=6, spread=1000)
    yield Case(
        "entries of thousands",
        inputs={name: np.clip(x, -9999, 9999) for name, x in loud.items()},
        options=SMALL,
        rule=LARGE,
        note="Long vectors: their squares reach 100 million.",
    )
    gains = tensors(rng, B=2, H=3, L=4, S=7, D=8, Dv=6)
    gains["k"][..., 0] = 2 + np.abs(gains["k"][..., 0])
    gains["q"][..., 0, :] /= 8
    gains["q"][..., 0, 0] = -3  # all scores of the first query are far below 0
    for name, place in (("q", 3), ("k", 4)):  # faint, and its gain makes up for it
        gains[name][..., place] /= 2**15
        gains[f"gain_{name}"][place] *= 2**15
    yield Case(
        "large gains",
        inputs=gains
        | {"gain_q": gains["gain_q"] * np.float32(9 * 2**20)}
        | {"gain_k": gains["gain_k"] * np.float32(9 / 2**20)},
        options=SMALL,
        rule=LARGE,
        note="Scores of hundreds of either sign, however short the vectors are. Gains of queries are millions, those of keys are tiny; one of each is far larger, for a faint entry.",
    )
    far = tensors(rng, B=2, H=3, L=4, S=10, D=8, Dv=5)
    # keys that hardly differ: scores so far from zero leave more than one of them a weight
    far["k"] = far["k"][:, :, :1] + np.float32(0.03) * (far["k"] - far["k"][:, :, :1])
    far["q"][..., 0], far["k"][..., 0] = 8, 8
    far["gain_q"][0], far["gain_k"][0] = -40, 20
    yield Case(
        "every score far below zero",
        inputs=far,
        options=SMALL,
        rule=LARGE,
        note="The largest score of each row is below -1000.",
    )
    above = tensors(rng, B=2, H=3, L=5, S=9, D=8, Dv=7)
    above["q"][..., 0], above["k"][..., 0] = 40, 40
    above["gain_q"][0], above["gain_k"][0] = 25, 15
    yield Case(
        "every score far above zero",
        inputs=above,
        options=SMALL,
        rule=LARGE,
        note="The scores of each row are near 1000, where the exponential overflows in float64 too.",
    )
    faint = tensors(rng, B=2, H=3, L=5, S=7, D=8, Dv=4)
    faint["q"][..., 0], faint["k"][..., 0] = 12, 12
    faint["gain_q"][0], faint["gain_k"][0] = -4, 4
    yield Case(
        "every score near -40",
        inputs=faint,
        options=SMALL,
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "square",
        inputs=tensors(rng, B=4, H=4, L=4, S=4, D=4, Dv=5),
        options=SMALL,
        rule=EQUAL,
        same="B = H = L = S = D, so that a wrong axis has a right shape",
        note="As many heads as tokens and entries, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "one query, one key",
        inputs=tensors(rng, B=2, H=3, L=1, S=1, D=4, Dv=5),
        options=SMALL,
        rule=ONE,
        same="a single query meets a single key: L = S = 1",
        note="The only key there is gets all the attention.",
    )
    yield Case(
        "one example, one head",
        inputs=tensors(rng, B=1, H=1, L=3, S=5, D=4, Dv=6),
        options=SMALL,
        rule=ONE,
        same="B = H = 1",
        note="A batch of one is still a batch, and a single head still has its axis.",
    )
    yield Case(
        "vectors of one number",
        inputs=tensors(rng, B=2, H=3, L=4, S=5, D=1, Dv=1),
        options=SMALL,
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1: only the sign of a number is left.",
    )
    eps = (2 * between(rng, 5, 20) + 1) / 43  # about as large as a mean square, and no float32
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng, B=2, H=3, pairs=4, D=10, Dv=7, eps=eps),
        options={"eps": eps},
        rule=PRECISION,
        note="Double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=tensors(rng, B=2, H=4, L=3, S=6, D=5, Dv=7),
            options=SMALL,
            wants=tuple(f"after.{name}" for name in NAMES),
            rule=ALONE,
            note="The caller goes on using the arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=tensors(rng, B=2, H=4, L=5, S=3, D=8, Dv=7),
        options=SMALL,
        layout=dict.fromkeys(NAMES, "readonly"),
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=tensors(rng, B=3, H=4, L=6, S=5, D=8, Dv=7),
        options=SMALL,
        layout=dict.fromkeys(NAMES, "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
    )
    yield Case(
        "a second call",
        inputs=tensors(rng, B=2, H=3, L=4, S=9, D=7, Dv=5),
        before=tensors(rng, B=2, H=3, L=4, S=9, D=7, Dv=5),
        options=SMALL,
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield Case(
        "gradients",
        inputs=tensors(rng, B=2, H=3, L=5, S=4, D=8, Dv=7),
        options=SMALL,
        wants=("output", *(f"grad.{name}" for name in NAMES)),
        rule=GRADIENTS,
        note="In PyTorch the gains learn too.",
    )
    zero = tensors(rng, B=2, H=3, L=6, S=5, D=4, Dv=7)
    zero["q"][:, :, 1], zero["k"][:, 1, 2] = 0, 0
    yield Case(
        "gradients of vectors of zeros",
        inputs=zero,
        options={"eps": between(rng, 1, 5) / 100},
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch the gradients are finite, also where a vector has no direction.",
    )


def between(rng, least, most):
    return int(rng.integers(least, most + 1))


def domain(rng):
    """Any small sizes, lengths and epsilons; some vectors of zeros, some large gains."""
    for number in range(70):
        B, H, L, S, D, Dv = map(int, rng.choice([1, 1, 2, 3, 4], 6))
        spread, eps = ((1, 1e-6), (1, 1), (100, 1e-6), (0.1, 1e-2), (1, 1e-3))[rng.integers(5)]
        inputs = tensors(rng, B, H, L, S, D, Dv, spread=spread)
        if rng.random() < 0.3:
            inputs["q"][..., 0, :] = 0
        if rng.random() < 0.2:
            inputs["gain_q"] = inputs["gain_q"] * np.float32(500)
        dtype = rng.choice([np.float32, np.float64])
        inputs = {
            name: (x * rng.uniform(0.9, 1, x.shape)).astype(dtype) for name, x in inputs.items()
        }
        yield Case(str(number), inputs=inputs, options={"eps": eps})
