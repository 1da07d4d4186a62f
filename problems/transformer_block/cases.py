"""Transformer blocks: where the norms stand, what is added to what, and who sees whom."""

import numpy as np

from grader.case import Case, in_float64

CAUSAL = "A token sees itself and what came before"
HEADS = "Any number of heads that divides E"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views"
NO_MEMORY = "Remembers nothing between calls"
RANDOM = "Nothing is random"
GRADIENTS = "Gradients flow"


def tokens(rng, B, n, E):
    """Tokens that are neither centred nor of variance 1, so that a missing norm shows."""
    return (rng.normal(size=(B, n, E)) * 1.7 + 0.8).astype(np.float32)


def weights(rng, E, F):
    """Every part adds about as much as there is; norms with gains and biases of their own."""

    def matrix(out, into, gain):
        return (gain / np.sqrt(into) * rng.normal(size=(out, into))).astype(np.float32)

    state = {
        "W_q.weight": matrix(E, E, 1.4),
        "W_k.weight": matrix(E, E, 1.2),
        "W_v.weight": matrix(E, E, 1.4),
        "W_o.weight": matrix(E, E, 1.4),
        "W_in.weight": matrix(F, E, 1.4),
        "W_out.weight": matrix(E, F, 1.6),
    }
    for name in ("norm_1", "norm_2"):
        state[f"{name}.weight"] = rng.uniform(0.5, 1.5, E).astype(np.float32)
        state[f"{name}.bias"] = rng.uniform(-0.7, 0.7, E).astype(np.float32)
    return state


def case(rng, name, B, n, E, heads, F, norm="pre", given=None, **rest):
    init = {"d_model": E, "num_heads": heads, "hidden": F, "norm": norm}
    given = given or {"inputs": {"x": tokens(rng, B, n, E)}, "state": weights(rng, E, F)}
    return Case(name, init=init, **given, **rest)


def rounded(rng, B, n, E, F):
    arrays = {"x": tokens(rng, B, n, E)} | weights(rng, E, F)
    arrays = {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}
    return {"inputs": {"x": arrays.pop("x")}, "state": arrays}


def loud(rng, B, n, E, F):
    """Two heads, whose scores are products of one number of each token: about a thousand, of both
    signs, and far apart. In the second head a token scores low for itself.
    """
    state = weights(rng, E, F)
    D = E // 2
    for name, sign in (("W_q.weight", 1), ("W_k.weight", -1)):
        pick = np.zeros((E, E), dtype=np.float32)
        pick[0, 0], pick[D, 1] = 40, 40 * sign
        state[name] = pick
    x = tokens(rng, B, n, E)
    steps = np.linspace(-3, 3, n)
    x[..., 0], x[..., 1] = rng.permuted(np.tile(steps, (B, 1)), axis=1), steps
    x[..., 2:] -= x.sum(axis=-1, keepdims=True) / (E - 2)  # a mean of 0: no step becomes about 0
    for name in ("norm_1", "norm_2"):
        state[f"{name}.weight"][:2], state[f"{name}.bias"][:2] = 1.5, 0
    return {"inputs": {"x": x}, "state": state}


def low(rng, B, n, E, F):
    """Two heads, in which the first token's score for itself is -9 999 and all that it sees. Each
    later token scores a hundred higher for itself than for those before it.
    """
    given = loud(rng, B, n, E, F)
    state, D = given["state"], E // 2
    given["inputs"]["x"][..., :2] = 1 - 0.01 * np.arange(n)[:, None]
    for row, column in (0, 0), (D, 1):
        root = (9_999 * np.sqrt(D)) ** 0.5
        state["W_q.weight"][row, column], state["W_k.weight"][row, column] = root, -root
    return given


def common(rng, B, n, E, F):
    """Two heads, in which all scores share a large part, and differ otherwise as usual."""
    x, state = tokens(rng, B, n, E), weights(rng, E, F)
    x[..., 0] = 2
    for name in ("W_q.weight", "W_k.weight"):
        state[name][:: E // 2] = 0
        state[name][:: E // 2, 0] = 22
    return {"inputs": {"x": x}, "state": state}


def shared_offset(rng, B, n, E, F):
    """The numbers of a token share an offset of thousands, which the layers do not see, and the norm
    takes away.
    """
    state = {name: array.astype(np.float64) for name, array in weights(rng, E, F).items()}
    for name in ("W_q.weight", "W_k.weight", "W_v.weight"):
        state[name] -= state[name].mean(axis=1, keepdims=True)
    x = tokens(rng, B, n, E) + 1e4 * rng.uniform(1, 3, (B, n, 1))
    return {"inputs": {"x": x.astype(np.float64)}, "state": state}


def cancelling(rng, B, n, E, F):
    """Columns of the values, and numbers between the layers, come in pairs that are nearly equal;
    what follows takes their difference, many thousand times.
    """
    state = {name: array.astype(np.float64) for name, array in weights(rng, E, F).items()}
    for into, out in (("W_v.weight", "W_o.weight"), ("W_in.weight", "W_out.weight")):
        state[into][1::2] = state[into][::2] + 1e-5 * rng.standard_normal(state[into][::2].shape)
        state[out][:, ::2] *= 1e5
        state[out][:, 1::2] = -state[out][:, ::2]
    return {"inputs": {"x": tokens(rng, B, n, E).astype(np.float64)}, "state": state}


def opposite(rng, B, n, E, F):
    """The second and the third token have large and opposite values. Otherwise they are nearly
    alike, so that these cancel, but for a small difference of two scores.
    """
    state = {name: array.astype(np.float64) for name, array in weights(rng, E, F).items()}
    x, large = tokens(rng, B, n, E).astype(np.float64), 2.0**25
    x[:, 2] = x[:, 1] + rng.standard_normal((B, E)) / large
    x[..., 0], x[:, 1, 0], x[:, 2, 0] = 0, 1, -1  # seen by the values alone
    state["W_q.weight"][:, 0], state["W_k.weight"][:, 0] = 0, 0
    state["W_v.weight"][:, 0] *= large
    return {"inputs": {"x": x}, "state": state}


def loud_last(case):
    """The last token scores 196 in the first head with all others, which do not see it, from column 0
    of the queries and column 1 of the keys. The exponential of that is too large for float32.
    """
    x, state = case.inputs["x"], case.state
    width = x.shape[-1] // case.init["num_heads"]
    x[..., 0], x[:, -1, 0], x[..., 1], x[:, -1, 1] = 3.5, 0, 0, 3.5 * np.sqrt(width)
    for name, column in (("W_q.weight", 0), ("W_k.weight", 1)):
        state[name][0], state[name][:, :2] = 0, 0
        state[name][0, column] = 4


def cases(rng):
    for norm in ("pre", "post"):
        yield case(
            rng,
            f"three words, {norm}",
            1,
            3,
            4,
            2,
            5,
            norm,
            rounded(rng, 1, 3, 4, 5),
            sample=True,
            labels=("The", "cat", "sat"),
            note="The plain definition on three words.",
        )
    for norm, E, heads in (("pre", 12, 3), ("post", 10, 2)):
        yield case(
            rng,
            f"two sentences, {norm}",
            2,
            5,
            E,
            heads,
            17,
            norm,
            layout={"x": "transposed"},
            note="All sizes differ, so no axis can stand in for another.",
        )
    default = case(
        rng, "no norm is given", 3, 4, 6, 2, 11, note="What is not said is the default: pre."
    )
    yield Case(
        default.name,
        inputs=default.inputs,
        state=default.state,
        init={name: value for name, value in default.init.items() if name != "norm"},
        note=default.note,
    )
    for norm, n in (("pre", 9), ("post", 8)):
        longer = case(
            rng,
            f"a longer sentence, {norm}",
            2,
            n,
            6,
            3,
            7,
            norm,
            rule=CAUSAL,
            note="Most tokens have many before them and many after. One token is all zeros.",
        )
        # smaller tokens where no norm comes first: otherwise a hidden score may lie far above all
        # others, which is another rule
        longer.inputs["x"] *= np.float32(1 if norm == "pre" else 0.6)
        longer.inputs["x"][:, 3] = 0
        yield longer
    yield case(
        rng,
        "a thousand tokens",
        2,
        1031,
        4,
        2,
        3,
        slow=True,
        note="A text may have any length.",
    )
    for name, heads, E in (
        ("one head", 1, 5),
        ("as many heads as columns", 6, 6),
        ("four heads", 4, 12),
    ):
        yield case(
            rng,
            name,
            2,
            4,
            E,
            heads,
            9,
            rule=HEADS,
            note="The width of a head is the width of the model divided by the heads.",
        )
    for norm in ("pre", "post"):
        yield case(
            rng,
            f"scores of a thousand, {norm}",
            2,
            4,
            8,
            2,
            9,
            norm,
            loud(rng, 2, 4, 8, 9),
            rule=LARGE,
            note="Scores of both signs that exp cannot take in float32.",
        )
    yield case(
        rng,
        "a large part in common",
        2,
        5,
        8,
        2,
        9,
        "post",
        common(rng, 2, 5, 8, 9),
        rule=LARGE,
        note="All scores lie around a thousand, where exp is infinite even in float64.",
    )
    yield case(
        rng,
        "scores near -10 000",
        2,
        4,
        8,
        2,
        9,
        "post",
        low(rng, 2, 4, 8, 9),
        rule=LARGE,
        note="However low a score is, what is hidden lies below it.",
    )
    yield case(rng, "one example", 1, 5, 8, 2, 7, rule=ONE, note="A batch of one is a batch.")
    yield case(
        rng,
        "one token",
        3,
        1,
        8,
        1,
        7,
        rule=ONE,
        note="The only token sees itself and nothing else, in a single head.",
    )
    yield case(rng, "one hidden number", 2, 3, 8, 2, 1, rule=ONE, note="F = 1.")
    for norm in ("pre", "post"):
        yield case(
            rng,
            f"float64 that cancels, {norm}",
            2,
            3,
            8,
            2,
            10,
            norm,
            cancelling(rng, 2, 3, 8, 10),
            rule=PRECISION,
            note="The module in double precision: large parts cancel, and what is left shows each rounding.",
        )
        yield in_float64(
            case(
                rng,
                f"the input afterwards, {norm}",
                2,
                4,
                6,
                3,
                8,
                norm,
                wants=("after.x",),
                rule=ALONE,
                note="The caller still needs its tokens. Only they are looked at here.",
            )
        )
    yield case(
        rng,
        "float64 far from zero, post",
        2,
        3,
        8,
        2,
        10,
        "post",
        shared_offset(rng, 2, 3, 8, 10),
        rule=PRECISION,
        note="The module in double precision: the first norm takes away what is large.",
    )
    yield case(
        rng,
        "values that cancel in float64, post",
        3,
        5,
        8,
        2,
        10,
        "post",
        opposite(rng, 3, 5, 8, 10),
        rule=PRECISION,
        note="The module in double precision: large values cancel, and what is left is a small "
        "difference of two scores.",
    )
    yield case(
        rng,
        "a view",
        2,
        5,
        6,
        2,
        9,
        layout={"x": "strided"},
        rule=VIEWS,
        note="x has gaps between its elements.",
    )
    for name, n in (("a second call", 6), ("a second call, longer", 4)):
        yield case(
            rng,
            name,
            2,
            6,
            8,
            4,
            9,
            before={"x": tokens(rng, 2, n, 8)},
            rule=NO_MEMORY,
            note="The same module was called before with other tokens.",
        )
    yield case(
        rng,
        "a second call, a single token",
        2,
        1,
        8,
        4,
        9,
        before={"x": tokens(rng, 2, 6, 8)},
        rule=NO_MEMORY,
        note="The same module was called before with more tokens.",
    )
    for name, norm in (("train mode", "pre"), ("train mode, post", "post")):
        yield case(
            rng,
            name,
            2,
            4,
            9,
            3,
            10,
            norm,
            train=True,
            rule=RANDOM,
            note="Train mode changes nothing.",
        )
    for norm, n in (("pre", 4), ("post", 150)):
        learning = case(
            rng,
            f"gradients, {norm}",
            2,
            n,
            6,
            2,
            7,
            norm,
            wants=("grad.x", *(f"grad.{name}" for name in weights(rng, 1, 1))),
            rule=GRADIENTS,
            note="The tokens and every parameter learn.",
        )
        if norm == "post":
            loud_last(learning)
        yield learning
    yield case(
        rng,
        "a second call, shorter",
        2,
        4,
        8,
        4,
        9,
        before={"x": tokens(rng, 2, 7, 8)},
        rule=NO_MEMORY,
        note="The same module was called before with a longer sentence.",
    )


def domain(rng):
    """Any sizes, both orders, both dtypes."""
    for number in range(40):
        B, n, H, D, F = map(int, rng.choice([1, 2, 3], 5))
        dtype = rng.choice([np.float32, np.float64])
        E = 2 * H * D
        state = {name: a.astype(dtype) for name, a in weights(rng, E, F).items()}
        given = {"inputs": {"x": tokens(rng, B, n, E).astype(dtype)}, "state": state}
        yield case(rng, str(number), B, n, E, H, F, ("pre", "post")[number % 2], given)
