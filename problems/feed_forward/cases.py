"""Feed-forward layers: two GELUs that differ in the fourth decimal, and a gate.

The numbers between the layers spread over 1.5, where the two GELUs are furthest apart.
"""

import math

import numpy as np

from grader.case import Case, in_float64

EXACT = '"gelu" is the exact one'
TANH = '"gelu_tanh" is the approximation'
GATE = '"swiglu" opens a gate'
AXES = "Any number of axes stands before the last"
LARGE = "Large numbers"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views"
NO_MEMORY = "Remembers nothing between calls"
RANDOM = "Nothing is random"
GRADIENTS = "Gradients flow"

KINDS = ("gelu", "gelu_tanh", "swiglu")


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def weights(rng, E, F, kind):
    """Weights such that unit-normal tokens spread over 1.5 between the layers, and over 1 after
    them.
    """
    names = {"W_in.weight": (F, E), "W_out.weight": (E, F)}
    if kind == "swiglu":
        names["W_gate.weight"] = (F, E)
    gain = {"W_in.weight": 1.5, "W_out.weight": 1.2, "W_gate.weight": 1.5}
    return {
        name: normal(rng, *shape) * np.float32(gain[name] / np.sqrt(shape[1]))
        for name, shape in names.items()
    }


def case(rng, name, shape, F, kind, arrays=None, **rest):
    E = shape[-1]
    init = {"d_model": E, "hidden": F} | ({} if kind == "default" else {"kind": kind})
    given = arrays or {"inputs": {"x": normal(rng, *shape)}, "state": weights(rng, E, F, kind)}
    return Case(name, init=init, **given, **rest)


def rounded(rng, shape, F, kind):
    arrays = {"x": normal(rng, *shape)} | weights(rng, shape[-1], F, kind)
    arrays = {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}
    return {"inputs": {"x": arrays.pop("x")}, "state": arrays}


def far(rng, shape, F, kind):
    """Between the layers every number is 80 or more in size, up to 10 000, and many are below 0."""
    E = shape[-1]
    size = rng.permutation(np.resize([10_000, 100, 1_000], shape[0]))[:, None]
    x = size * rng.uniform(0.97, 1.0, shape)
    state = weights(rng, E, F, kind)
    for name in ("W_in.weight", "W_gate.weight"):
        if name in state:
            sign = np.resize([1, -1], F)[:, None]
            state[name] = (sign * rng.uniform(0.97, 1.0, (F, E)) / E).astype(np.float32)
    if kind == "swiglu":  # products of two large numbers are of ordinary size again
        state["W_in.weight"] /= np.float32(9_000)
    # one column of the output is large and below 0 in every draw, and another one above
    for column, sign in enumerate((-1, 1)):
        state["W_out.weight"][column] = sign * np.abs(state["W_out.weight"][column])
    return {"inputs": {"x": x.astype(np.float32)}, "state": state}


def activated(x, state, kind):
    """What goes into the last layer."""
    h = x @ state["W_in.weight"].T
    if kind == "swiglu":
        gate = x @ state["W_gate.weight"].T
        return h * gate / (1 + np.exp(-gate))
    if kind == "gelu":
        return h / 2 * (1 + np.vectorize(math.erf)(h / math.sqrt(2)))
    return h / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)))


def cancelling(rng, n, E, F, kind):
    """Weights near 1e5 in the last layer, which cancel for these n < F tokens but for about 1."""
    x = rng.standard_normal((n, E))
    state = {name: 1.01 * a.astype(np.float64) for name, a in weights(rng, E, F, kind).items()}
    for row, name in enumerate(sorted(state.keys() - {"W_out.weight"})):
        state[name][row] *= 3e-5  # a faint number counts as well
    state["W_in.weight"][2] = 5.2 * x[0] / (x[0] @ x[0])  # and so does one whose cube is above 100
    numbers = activated(x, state, kind)
    large = 1e5 * rng.standard_normal((E, F))
    state["W_out.weight"] += large - large @ np.linalg.pinv(numbers) @ numbers
    return {"inputs": {"x": x}, "state": state}


def cases(rng):
    yield case(
        rng,
        "two tokens, gelu",
        (2, 3),
        4,
        "gelu",
        rounded(rng, (2, 3), 4, "gelu"),
        sample=True,
        rule=EXACT,
        note="The plain definition with the exact GELU.",
    )
    yield case(
        rng,
        "two tokens, swiglu",
        (2, 3),
        5,
        "swiglu",
        rounded(rng, (2, 3), 5, "swiglu"),
        sample=True,
        rule=GATE,
        note="The plain definition with a gate.",
    )
    for kind, rule, shape, F in (
        ("gelu", EXACT, (7, 5), 31),
        ("gelu_tanh", TANH, (7, 6), 29),
        ("swiglu", GATE, (7, 5), 11),
    ):
        yield case(
            rng,
            f"seven tokens, {kind}",
            shape,
            F,
            kind,
            rule=rule,
            note="More hidden numbers than columns, and more tokens than columns.",
        )
    yield case(
        rng,
        "no kind is given",
        (6, 4),
        27,
        "default",
        rule=EXACT,
        note="What is not said is the default.",
    )
    yield case(
        rng,
        "fewer hidden numbers than columns",
        (3, 9),
        5,
        "swiglu",
        note="The hidden width is whatever the caller says.",
    )
    zero = case(
        rng,
        "a token of zeros",
        (4, 5),
        5,
        "swiglu",
        note="Zeros stay zeros. There are as many hidden numbers as columns.",
    )
    zero.inputs["x"][1] = 0
    yield zero
    for name, shape in (
        ("one token, one axis", (6,)),
        ("a batch of sentences", (2, 521, 5)),
        ("a batch of one sentence", (1, 3, 6)),
        ("sentences of one token", (3, 1, 5)),
        ("four axes", (2, 3, 5, 4)),
    ):
        yield case(
            rng,
            name,
            shape,
            7,
            "swiglu",
            layout={3: {"x": "transposed"}, 4: {"x": "strided"}}.get(len(shape), {}),
            rule=AXES,
            note="Every token goes through on its own, however they are arranged.",
        )
    single = case(
        rng,
        "one token of one number",
        (1,),
        7,
        "gelu",
        rule=AXES,
        note="The only axis has a size of one, and the output has it too.",
    )
    # the two GELUs differ most, and all in one direction, where hidden numbers lie near -2.7 or 2.7
    x, w = single.inputs["x"], single.state["W_in.weight"]
    single.inputs["x"] = np.copysign(np.clip(np.abs(x), 1.6, 1.8), x)
    np.copysign(np.clip(np.abs(w), 1.45, 1.7), w, out=w)
    # an activation of the output takes what is below 0 away
    single.state["W_out.weight"] = -np.abs(single.state["W_out.weight"])
    yield single
    for kind in KINDS:
        yield case(
            rng,
            f"large numbers, {kind}",
            (4, 5),
            9,
            kind,
            far(rng, (4, 5), 9, kind),
            rule=LARGE,
            note="Between the layers, numbers are far from 0 on both sides.",
        )
    yield case(
        rng,
        "one column",
        (5, 1),
        4,
        "swiglu",
        rule=ONE,
        note="Tokens that are one number wide.",
    )
    for kind, shape in zip(KINDS, ((8, 2), (8, 3), (5, 3)), strict=True):
        one = case(rng, f"one hidden number, {kind}", shape, 1, kind, rule=ONE, note="F = 1.")
        for name, size in (("W_in.weight", 1.5), ("W_out.weight", 1.2 * np.sqrt(shape[-1]))):
            # a single number may be drawn so small that it hides which function made it
            one.state[name] *= np.float32(size / np.linalg.norm(one.state[name]))
        yield one
    yield case(
        rng, "a sentence of one token", (1, 4), 6, "swiglu", rule=ONE, note="There is one token."
    )
    for kind, shape in zip(KINDS, ((4, 5), (4, 3), (4, 6)), strict=True):
        yield case(
            rng,
            f"float64 that cancels, {kind}",
            shape,
            8,
            kind,
            cancelling(rng, *shape, 8, kind),
            rule=PRECISION,
            note="The module in double precision: large parts cancel, and what is left shows each rounding.",
        )
    yield in_float64(
        case(
            rng,
            "the input afterwards",
            (5, 4),
            6,
            "swiglu",
            wants=("after.x",),
            rule=ALONE,
            note="The caller still needs its tokens. Only they are looked at here.",
        )
    )
    yield case(
        rng,
        "a view",
        (6, 4),
        9,
        "swiglu",
        layout={"x": "strided"},
        rule=VIEWS,
        note="x has gaps between its elements.",
    )
    yield case(
        rng,
        "a second call",
        (4, 6),
        9,
        "swiglu",
        before={"x": normal(rng, 4, 6)},
        rule=NO_MEMORY,
        note="The same module was called before with other tokens.",
    )
    yield case(
        rng,
        "a longer second call",
        (8, 5),
        6,
        "swiglu",
        before={"x": normal(rng, 3, 5)},
        rule=NO_MEMORY,
        note="The same module was called before with fewer tokens.",
    )
    yield case(
        rng,
        "train mode",
        (5, 6),
        11,
        "swiglu",
        train=True,
        rule=RANDOM,
        note="Train mode changes nothing.",
    )
    for kind, F in zip(KINDS, (23, 19, 8), strict=True):
        learned = ["grad.x", "grad.W_in.weight", "grad.W_out.weight"]
        if kind == "swiglu":
            learned.append("grad.W_gate.weight")
        learning = case(
            rng,
            f"gradients, {kind}",
            (3, 5),
            F,
            kind,
            wants=tuple(learned),
            rule=GRADIENTS,
            note="The token and every weight learn.",
        )
        # at most 4 between the layers: where tanh is nearly 1, how it was made shows in its slope
        tokens = learning.inputs["x"]
        most = np.abs(tokens @ learning.state["W_in.weight"].T).max()
        tokens *= np.float32(min(1, 4 / most))
        yield learning
        yield case(
            rng,
            f"gradients where numbers are large, {kind}",
            (3, 4),
            F,
            kind,
            far(rng, (3, 4), F, kind),
            wants=tuple(learned),
            rule=GRADIENTS,
            note="The gradients are finite where a number goes through whole, or not at all.",
        )
    for kind in ("gelu", "gelu_tanh"):
        yield case(
            rng,
            f"a batch of sentences, {kind}",
            (2, 3, 5),
            7,
            kind,
            rule=AXES,
            note="Three axes without a gate: every token goes through on its own.",
        )


def domain(rng):
    """Any sizes and axes, every kind, both dtypes, small and large numbers."""
    for number in range(60):
        shape = tuple(map(int, rng.choice([1, 1, 2, 3, 5], rng.integers(1, 5))))
        F, kind = int(rng.choice([1, 2, 3, 7])), KINDS[number % 3]
        arrays = {"x": rng.choice([0.1, 1, 3]) * normal(rng, *shape)}
        if number % 7 == 0:
            arrays["x"] = arrays["x"] * 1000
        dtype = rng.choice([np.float32, np.float64])
        state = {name: a.astype(dtype) for name, a in weights(rng, shape[-1], F, kind).items()}
        given = {"inputs": {"x": arrays["x"].astype(dtype)}, "state": state}
        yield case(rng, str(number), shape, F, kind, given)
