"""Attention as a module: the plain definition, with sizes that tell every pair of axes apart."""

import numpy as np

from grader.case import Case, in_float64

LENGTH = "Any number of tokens"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views"
REMEMBERS = "Remembers nothing between calls"
RANDOM = "Nothing is random"
GRADIENTS = "Gradients flow"

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


def small_numbers(case):
    """Scores as before from small tokens and keys, and small values; one token and one column of
    the values are 0, and one token is faint. Powers of two round nothing.
    """
    x, (w_q, w_k, w_v) = case.inputs["x"], case.state.values()
    x[:, 1], x[:, 2], w_v[0], w_v[-1] = 0, x[:, 2] / 2**15, 0, w_v[-1] / 2**4
    for array, power in ((x, -6), (w_q, 18), (w_k, -6), (w_v, -3)):
        array *= 2.0**power
    return case


def large_numbers(case):
    """Scores as before from large tokens and keys, and large values."""
    x, (w_q, w_k, w_v) = case.inputs["x"], case.state.values()
    for array, power in ((x, 8), (w_q, -24), (w_k, 8), (w_v, 8)):
        array *= 2.0**power
    return case


def one_silent_and_one_faint(case):
    """One token is 0, and the products of another one's query are below 1e-4. The weights are
    nearly equal, so that these products count.
    """
    x, (w_q, w_k, _) = case.inputs["x"], case.state.values()
    w_q /= 4
    x[:, 2] = 0
    for tokens in x:
        tokens[1] *= 9e-5 / np.abs(tokens @ w_k.T @ (w_q @ tokens[1])).max()
    return case


def lowered(case, height):
    """All scores lower by a height that softmax ignores, and that exp can take in float32."""
    (w_q, w_k, _) = case.state.values()
    E = len(w_q)
    for array, entry in ((w_q, 4), (w_k, -height / 4 * np.sqrt(E))):
        array[0], array[:, 0], array[0, 0] = 0, 0, entry
    for x in (case.inputs["x"], case.before["x"]):
        x[..., 0] = 1
    return case


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
    batch = case(
        rng,
        "a batch",
        2,
        5,
        8,
        note="Batch, tokens and width all differ, so no axis can stand in for another.",
    )
    yield large_numbers(batch)
    wide = case(rng, "wide tokens", 2, 4, 64, note="The wider a token, the more its scale matters.")
    yield small_numbers(wide)
    silent = case(rng, "a token of zeros", 2, 4, 7, note="One token is 0, so all its scores are 0.")
    yield one_silent_and_one_faint(silent)
    yield case(
        rng,
        "a batch, other values",
        2,
        5,
        8,
        rule=REMEMBERS,
        note="The same shape again with other numbers: nothing may be remembered.",
    )
    yield case(
        rng,
        "more tokens than columns",
        3,
        9,
        4,
        layout={"x": "transposed"},
        rule=LENGTH,
        note="The sequence is longer than a token is wide.",
    )
    yield case(
        rng,
        "as many tokens as columns",
        2,
        6,
        6,
        rule=LENGTH,
        same="n = E, so a reshape or a transpose of the wrong thing does not show in the shape",
        note="The keys form a square: are they transposed or only reshaped, and along what is the scale measured?",
    )
    yield case(
        rng,
        "as many tokens as examples",
        4,
        4,
        6,
        rule=LENGTH,
        same="B = n, so a wrong axis does not show in the shape",
        note="Batch and sequence are equally long: which axis is which?",
    )
    yield case(rng, "one example", 1, 4, 6, rule=ONE, note="A batch of one is still a batch.")
    yield case(
        rng, "one token", 3, 1, 5, rule=ONE, note="The shortest sequence: its only weight is 1."
    )
    yield case(
        rng,
        "one column",
        2,
        4,
        1,
        rule=ONE,
        note="Tokens that are one number wide.",
    )
    yield Case(
        "scores near a thousand",
        **high(rng),
        init={"d_model": 8},
        rule=LARGE,
        note="Scores that exp cannot take in float32, high in one example and low in the other.",
    )
    yield Case(
        "both ends of the range",
        **far_apart(rng, B=2, n=4, E=10),
        init={"d_model": 10},
        rule=LARGE,
        note="The scores of a row lie close to 10 000 or to -10 000, or are half as large.",
    )
    yield Case(
        "three hundred tokens, scores far apart",
        **long_text(rng, n=300, E=5),
        init={"d_model": 5},
        rule=LARGE,
        note="The scores of a row run from -10 000 to 10 000, in steps; the highest ones stand at one end of the text.",
    )
    yield Case(
        "one token with a low score",
        **one_token_far_below(rng),
        init={"d_model": 10},
        rule=LARGE,
        note="A single token in each example. Its score is near -10 000, -5000 or -200, and none is "
        "above 0.",
    )
    yield Case(
        "cancelling values in float64",
        **cancelling(rng, B=2, pairs=3),
        init={"d_model": 10},
        rule=PRECISION,
        note="The module in double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield Case(
        "float64, one token",
        **cancelling_token(rng, B=2, E=7),
        init={"d_model": 7},
        rule=PRECISION,
        note="A single token in double precision: large terms cancel in its values.",
    )
    yield in_float64(
        case(
            rng,
            "x stays as it was",
            3,
            4,
            5,
            wants=("after.x",),
            rule=INPUTS,
            note="The caller's tensor is looked at again after the call.",
        )
    )
    yield case(
        rng,
        "non-contiguous tokens",
        2,
        3,
        8,
        layout={"x": "strided"},
        rule=VIEWS,
        note="x is a view with gaps between its elements.",
    )
    second = case(
        rng,
        "a second call",
        2,
        4,
        9,
        before={"x": normal(rng, 2, 4, 9)},
        rule=REMEMBERS,
        note="The same module was called before with other tokens between the same two ends: nothing may be kept from that call. All scores are low.",
    )
    second.before["x"][:, [0, -1]] = second.inputs["x"][:, [0, -1]]
    yield lowered(second, 40)
    yield case(
        rng,
        "a longer sequence than before",
        3,
        7,
        5,
        before={"x": normal(rng, 3, 2, 5)},
        rule=REMEMBERS,
        note="The same module was called before with a shorter sequence.",
    )
    yield case(
        rng,
        "train mode",
        3,
        4,
        7,
        train=True,
        rule=RANDOM,
        note="Nothing here is random: train mode changes nothing.",
    )
    yield case(
        rng,
        "gradients",
        2,
        5,
        7,
        wants=("grad.x", *(f"grad.{name}" for name in GAIN)),
        rule=GRADIENTS,
        note="The tokens and all three weights learn from a loss on the output and on the weights.",
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


def far_apart(rng, B, n, E):
    """A token's column 0 asks and its column 1 answers; the score is the product of the two. Keys
    are at least 50 apart, so one has all the weight. The values do not have these columns.
    """
    x = normal(rng, B, n, E)
    x[..., 0] = 100 * np.resize([1, -1, 0.5, -0.5], n)
    x[..., 1] = np.sqrt(E) * rng.permutation(100 - np.arange(n))
    state = weights(rng, E)
    for name, column in (("W_q.weight", 0), ("W_k.weight", 1)):
        state[name] = np.zeros((E, E), dtype=np.float32)
        state[name][0, column] = 1
    state["W_v.weight"][:, :2] = 0
    return {"inputs": {"x": x}, "state": state}


def one_token_far_below(rng):
    """A single token in each example: no score is above 0, and what hides other examples must be
    lower than the lowest.
    """
    arrays = far_apart(rng, B=3, n=1, E=10)
    arrays["inputs"]["x"][:, 0, 0] = rng.permutation([-100, -50, -2])
    return arrays


def long_text(rng, n, E):
    """As before in one long text: the answers run from -100 to 100 in even steps; the ten lowest stand at the beginning and
    the ten highest at the end.
    """
    arrays = far_apart(rng, B=1, n=n, E=E)
    steps = np.linspace(-100, 100, n)
    for part in (slice(0, 10), slice(10, n - 10), slice(n - 10, n)):
        steps[part] = rng.permutation(steps[part])
    arrays["inputs"]["x"][..., 1] = np.sqrt(E) * steps
    return arrays


def cancelling(rng, B, pairs):
    """Tokens in pairs: the weight of the second is `ratio` times that of the first, and values near
    1e5 cancel in the output but for about 1. A rounding to float32 anywhere leaves more than 1e-4
    of that. Every score has the same large part, which a softmax ignores. The columns of x are
    mixed, so that all numbers have all their digits: 3 ask, 3 answer and 4 are the value.
    """
    n, E = 2 * pairs, 10
    q = 1.5 * rng.standard_normal((B, n, 3))
    k = np.repeat(rng.standard_normal((B, pairs, 3)), 2, axis=1)
    v = 1e-5 * rng.standard_normal((B, n, 4))
    ratio = rng.uniform(1.5, 3, (B, pairs, 1))
    q[..., -2:] = np.sqrt(E) * np.array([17.3, 1])
    k[..., -2:] = [18.7, 0]
    k[:, 1::2, -1:] = np.log(ratio)
    large = rng.standard_normal((B, pairs, 4))
    v[:, ::2] += large
    v[:, 1::2] -= large / ratio
    mix, turn = (np.linalg.qr(rng.standard_normal((E, E)))[0] for _ in range(2))
    parts = {"W_q.weight": slice(0, 3), "W_k.weight": slice(3, 6), "W_v.weight": slice(6, 10)}
    state = {}
    for name, part in parts.items():
        width = part.stop - part.start
        state[name] = (mix[:, part] @ turn[:width]).T
    state["W_v.weight"] = 1e5 * state["W_v.weight"]
    return {"inputs": {"x": np.concatenate([q, k, v], axis=-1) @ mix.T}, "state": state}


def cancelling_token(rng, B, E):
    """One token in float64. Its values are ordinary sums of terms of ten thousand, of which float32
    keeps three digits.
    """
    x = rng.standard_normal((B, 1, E))
    x[..., 0] = 20_000 + 2000 * rng.standard_normal((B, 1))
    x[..., 1] = x[..., 0] + rng.standard_normal((B, 1))
    state = {name: w.astype(np.float64) for name, w in weights(rng, E).items()}
    w_q, w_k, w_v = state.values()
    w_v[:, 1] = 2e-5 * w_v[:, 1] - w_v[:, 0]
    for w in (w_q, w_k):
        w[:, :2] *= 2e-5
    return {"inputs": {"x": x}, "state": state}


def domain(rng):
    """Any sizes, scores on the scale of 1 to 10 000, both dtypes, both modes."""
    for number in range(60):
        B, n, E = map(int, rng.choice([1, 1, 2, 3, 5], 3))
        dtype = rng.choice([np.float32, np.float64])
        x = (rng.choice([1, 1, 5, 30]) * rng.standard_normal((B, n, E))).astype(dtype)
        state = {name: w.astype(dtype) * dtype(1.01) for name, w in weights(rng, E).items()}
        train = bool(rng.random() < 0.3)
        yield Case(str(number), inputs={"x": x}, init={"d_model": E}, state=state, train=train)
