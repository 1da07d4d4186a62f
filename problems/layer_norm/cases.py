"""Layer normalisation: what is averaged over, what is under the root, and the three paths back.

In ordinary cases a token spreads over 20 or more, so that an eps of 1e-5 does not show, wherever
it stands: it shows in the cases of its own rule.
"""

import numpy as np

from grader.case import Case, in_float64

AXES = "Any number of axes stands before the last"
EPS = "The argument eps stands inside the root"
CONSTANT = "A constant token gives the bias"
OFFSETS = "Large offsets"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"

SMALL = {"eps": 1e-5}


def standard(rng, *shape):
    """Tokens of mean 0 and variance 1, each number at least 0.1 away from the next."""
    E = shape[-1]
    x = rng.permuted(np.broadcast_to(np.arange(E, dtype=float), shape), axis=-1)
    x = x + rng.uniform(-0.4, 0.4, shape)
    x = x - x.mean(axis=-1, keepdims=True)
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True))


def tokens(rng, *shape, spread=30.0):
    """Tokens whose standard deviations lie around `spread`, with means of about that size."""
    each = (*shape[:-1], 1)
    x = standard(rng, *shape) if shape[-1] > 1 else np.zeros(shape)
    mean = spread * rng.uniform(0.5, 1, each) * rng.choice([-1, 1], each)
    return (x * spread * rng.uniform(0.8, 1.3, each) + mean).astype(np.float32)


def forward(rng, *shape, spread=30.0):
    E = shape[-1]
    bias = rng.uniform(0.5, 2, E) * rng.choice([-1, 1], E)
    return {
        "x": tokens(rng, *shape, spread=spread),
        "gain": rng.uniform(0.5, 2, E).astype(np.float32),
        "bias": bias.astype(np.float32),
    }


def backward(rng, *shape, spread=30.0):
    x, gain = (forward(rng, *shape, spread=spread)[name] for name in ("x", "gain"))
    # each column has a mean, which its sum over the tokens shows
    grad = rng.normal(size=shape) + rng.choice([-1, 1], shape[-1])
    return {"grad": grad.astype(np.float32), "x": x, "gain": gain}


def there(name, inputs, options=SMALL, **rest):
    return Case(name, call="layer_norm", inputs=inputs, options=options, **rest)


def back(name, inputs, options=SMALL, **rest):
    return Case(name, call="layer_norm_backward", inputs=inputs, options=options, **rest)


def rounded(inputs, spread=30.0):
    """Tokens with one digit less than their spread, everything else with one decimal."""
    digits = {"x": 0 if spread > 10 else 1}
    return {name: x.round(digits.get(name, 1)) + np.float32(0) for name, x in inputs.items()}


def constant_tokens(rng, inputs):
    """Every second token is one number E times, and its mean is exact."""
    x = inputs["x"]
    x[::2] = rng.choice([-0.5, -0.25, 0.25, 0.5], (len(x[::2]), 1))
    return inputs


def one_faint(rng, inputs):
    """One token is a thousand times smaller than the others: its numbers differ by a few billionths, and
    are not equal. Powers of two round nothing.
    """
    inputs["x"][rng.integers(len(inputs["x"]))] /= 2**10
    return inputs


def far_from_zero(rng, inputs):
    """Two or four numbers near 8 500 or -8 500 with a standard deviation of 2.3. In float32 the mean of their
    squares is a multiple of 8, as is the square of their mean, and their variance is 5.3. No shift that
    tokens have in common brings all of them near zero.
    """
    x = inputs["x"]
    offset = rng.integers(8_250, 8_700, (*x.shape[:-1], 1))
    offset = offset * rng.permutation(np.resize([1, -1], len(x)))[:, None]
    inputs["x"] = (offset + 2.3 * standard(rng, *x.shape)).astype(np.float32)
    inputs["gain"] = rng.permutation([0.6, 1.5, 1, 2][: x.shape[-1]]).astype(np.float32)
    return inputs


def cancelling_forward(rng, n, E):
    """The tokens differ by a hundred-thousandth of their spread, and the bias takes away what they share."""
    shared = standard(rng, E)
    x = 1000 * (shared + 1e-5 * rng.standard_normal((n, E)))
    x = x * rng.uniform(1, 2, (n, 1)) + 1000 * rng.uniform(-1, 1, (n, 1))
    gain = 1e5 * rng.uniform(1, 2, E)
    return {"x": x, "gain": gain, "bias": -gain * shared}


def cancelling_backward(rng, n, E):
    """Nearly all of the gradient lies along the two directions that normalisation takes out."""
    x_hat = standard(rng, n, E)
    x = 1000 * x_hat * rng.uniform(1, 2, (n, 1)) + 1000 * rng.uniform(-1, 1, (n, 1))
    gain = rng.uniform(1, 2, E)
    large = 1e5 * (rng.uniform(1, 2, (n, 1)) + rng.uniform(1, 2, (n, 1)) * x_hat)
    return {"grad": (large + rng.standard_normal((n, E))) / gain, "x": x, "gain": gain}


def cancelling_sums(rng, n, E):
    """Each token comes twice, with gradients that are nearly opposite: little is left of the sums."""
    x, gain = (backward(rng, n, E)[name].astype(float) for name in ("x", "gain"))
    large = 1e5 * rng.uniform(1, 2, (n, E))
    grad = np.concatenate([large, -large]) + rng.standard_normal((2 * n, E))
    return {"grad": grad, "x": np.concatenate([x, x]), "gain": gain}


def beyond(inputs):
    """In float64, with tokens and gradients that single precision cannot hold."""
    large = {"x": 1e50, "grad": 1e50}
    return {name: x.astype(float) * large.get(name, 1) for name, x in inputs.items()}


def cases(rng):
    yield there(
        "two tokens",
        rounded(forward(rng, 2, 4)),
        sample=True,
        note="The plain definition: each token has a mean and a variance of its own.",
    )
    yield back(
        "the gradients of three tokens",
        rounded(backward(rng, 3, 4)),
        sample=True,
        note="The plain definition of the way back.",
    )
    yield there(
        "eps as large as the variance",
        rounded(forward(rng, 2, 3, spread=1.5), spread=1.5),
        {"eps": 2.0},
        sample=True,
        rule=EPS,
        note="Where eps stands and what it is makes all the difference here.",
    )
    yield there(
        "seven tokens",
        forward(rng, 7, 5),
        note="More tokens than columns: an average over the wrong axis shows.",
    )
    seven = backward(rng, 7, 5)
    seven["grad"] *= np.float32(2**-16)  # rounds nothing
    yield back(
        "the gradients of seven tokens",
        seven,
        note="More tokens than columns: a sum over the wrong axis shows. All gradients are small.",
    )
    signed = forward(rng, 4, 6)
    signed["gain"][::2] *= -1
    signed["gain"][1], signed["bias"][1] = 0, 3
    yield there(
        "a gain of zero, and negative ones",
        signed,
        note="Gain and bias are any numbers.",
    )
    signed = backward(rng, 4, 6)
    signed["gain"][::2] *= -1
    signed["gain"][1] = 0
    yield back(
        "gradients where a gain is zero",
        signed,
        note="A column with a gain of 0 still tells its gain how to change.",
    )
    yield there(
        "tokens of 1009 numbers",
        forward(rng, 3, 1009),
        note="A wide token: a variance that divides by E - 1 is off by little, and still off.",
    )
    wide = backward(rng, 3, 1009)
    wide["grad"][:, rng.permutation(1009)[:9]] *= np.float32(5e-5)  # faint, and still told
    yield back(
        "the gradients of tokens of 1009 numbers",
        wide,
        note="A wide token: each path through mean and variance is thin, and still there.",
    )
    yield there("one token, one axis", forward(rng, 6), rule=AXES, note="x has the shape (E,).")
    yield there(
        "a batch of sentences",
        forward(rng, 2, 3, 5),
        layout={"x": "transposed"},
        rule=AXES,
        note="x has the shape (B, n, E), and lies in memory with its first axis fastest.",
    )
    yield there(
        "four axes",
        forward(rng, 2, 3, 5, 4),
        layout={"x": "strided"},
        rule=AXES,
        note="x has three axes before the last, and they lie in another order in memory.",
    )
    yield back(
        "the gradients of one token, one axis",
        backward(rng, 6),
        rule=AXES,
        note="x has the shape (E,): there is nothing to sum over.",
    )
    yield back(
        "the gradients of a batch of sentences",
        backward(rng, 2, 3, 5),
        layout={"grad": "transposed", "x": "transposed"},
        rule=AXES,
        note="x has the shape (B, n, E): the tokens lie along two axes. In memory the first axis is fastest.",
    )
    yield back(
        "the gradients of four axes",
        backward(rng, 3, 2, 4, 5),
        layout={"grad": "strided", "x": "strided"},
        rule=AXES,
        note="x has three axes before the last, and they lie in another order in memory.",
    )
    yield there(
        "eps of a half",
        forward(rng, 5, 6, spread=0.7),
        {"eps": 0.5},
        rule=EPS,
        note="The variance and eps are of the same size.",
    )
    yield there(
        "small numbers, and a small eps",
        one_faint(rng, forward(rng, 4, 3, spread=1e-6)),
        {"eps": 1e-12},
        rule=EPS,
        note="The variance is tiny, and eps is about as large. One token is fainter still, and not constant.",
    )
    yield back(
        "gradients of small numbers, with a small eps",
        one_faint(rng, backward(rng, 7, 3, spread=1e-6)),
        {"eps": 1e-12},
        rule=EPS,
        note="The variance is tiny, and eps is about as large. One token is fainter still.",
    )
    yield back(
        "gradients with a large eps",
        backward(rng, 5, 6, spread=1.5),
        {"eps": 2.0},
        rule=EPS,
        note="eps belongs to the way back as well.",
    )
    yield back(
        "gradients of constant tokens with a large eps",
        constant_tokens(rng, backward(rng, 6, 5, spread=1.5)),
        {"eps": 2.0},
        rule=EPS,
        note="Every second token says the same number E times: what is under the root is eps.",
    )
    yield there(
        "constant tokens",
        constant_tokens(rng, forward(rng, 5, 7)),
        rule=CONSTANT,
        note="Every second token says the same number E times: its variance is 0.",
    )
    yield back(
        "the gradients of gain and bias beside constant tokens",
        constant_tokens(rng, backward(rng, 5, 7)),
        wants=("dgain", "dbias"),
        rule=CONSTANT,
        note="A constant token adds nothing to the gradient of gain.",
    )
    yield there(
        "tokens far from zero",
        far_from_zero(rng, forward(rng, 4, 2)),
        {"eps": 1e-6},
        rule=OFFSETS,
        note="The numbers of a token lie near 8 500 or -8 500, with a standard deviation of little more than 2.",
    )
    yield back(
        "gradients of tokens far from zero",
        far_from_zero(rng, backward(rng, 9, 4)),
        rule=OFFSETS,
        note="The numbers of a token lie near 8 500 or -8 500, with a standard deviation of little more than 2.",
    )
    yield there(
        "tokens one number wide",
        forward(rng, 4, 1),
        rule=ONE,
        note="A single number is its own mean.",
    )
    yield there("a sentence of one token", forward(rng, 1, 5), rule=ONE, note="There is one token.")
    yield back(
        "the gradients of tokens one number wide",
        backward(rng, 4, 1),
        rule=ONE,
        note="Whatever the number is, it becomes 0: it cannot change the result.",
    )
    yield back(
        "the gradients of a sentence of one token",
        backward(rng, 1, 5),
        rule=ONE,
        note="There is one token to sum over.",
    )
    yield there(
        "a batch of sentences of one token",
        forward(rng, 3, 1, 6),
        rule=ONE,
        note="An axis of one stands in the middle.",
    )
    yield back(
        "the gradients of sentences of one token",
        backward(rng, 3, 1, 6),
        rule=AXES,
        note="An axis of one stands in the middle, of `dx` too.",
    )
    yield there(
        "float64, large parts cancel",
        cancelling_forward(rng, 3, 6),
        {"eps": 1e-12},
        rule=PRECISION,
        note="Double precision: the bias takes away nearly everything, and what is left shows each rounding.",
    )
    yield back(
        "float64, gradients that cancel",
        cancelling_backward(rng, 3, 6),
        {"eps": 1e-12},
        rule=PRECISION,
        note="Double precision: the paths take nearly everything away from one another.",
    )
    yield back(
        "float64, sums over tokens that cancel",
        cancelling_sums(rng, 3, 7),
        {"eps": 1e-12},
        wants=("dgain", "dbias"),
        rule=PRECISION,
        note="Double precision: each token comes twice, and the two gradients are nearly opposite.",
    )
    yield there(
        "float64, numbers near 1e50",
        beyond(forward(rng, 5, 3)),
        {"eps": 1e40},
        rule=PRECISION,
        note="Double precision holds numbers that are far beyond single precision.",
    )
    yield back(
        "float64, gradients near 1e50",
        beyond(backward(rng, 5, 3)),
        {"eps": 1e40},
        rule=PRECISION,
        note="Double precision: `x` and `grad` are far beyond single precision.",
    )
    yield in_float64(
        there(
            "the inputs afterwards",
            forward(rng, 3, 7),
            wants=("after.x", "after.gain", "after.bias"),
            rule=ALONE,
            note="The caller still needs its arrays. Only they are looked at here.",
        )
    )
    yield in_float64(
        back(
            "the inputs of the way back afterwards",
            backward(rng, 3, 7),
            wants=("after.grad", "after.x", "after.gain"),
            rule=ALONE,
            note="The caller still needs its arrays. Only they are looked at here.",
        )
    )
    yield there(
        "read-only inputs",
        forward(rng, 3, 8),
        layout=dict.fromkeys(("x", "gain", "bias"), "readonly"),
        rule=ALONE,
        note="The inputs refuse to be written to.",
    )
    yield back(
        "read-only inputs of the way back",
        backward(rng, 3, 8),
        layout=dict.fromkeys(("grad", "x", "gain"), "readonly"),
        rule=ALONE,
        note="The inputs refuse to be written to.",
    )
    yield there(
        "views",
        forward(rng, 6, 4),
        layout=dict.fromkeys(("x", "gain", "bias"), "strided"),
        rule=VIEWS,
        note="The arrays have gaps between their elements.",
    )
    yield back(
        "views on the way back",
        backward(rng, 6, 4),
        layout=dict.fromkeys(("grad", "x", "gain"), "strided"),
        rule=VIEWS,
        note="The arrays have gaps between their elements.",
    )
    yield there(
        "a second call",
        forward(rng, 4, 9),
        before=forward(rng, 4, 9),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield back(
        "a second call of the way back",
        backward(rng, 4, 9),
        before=backward(rng, 4, 9),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )


def domain(rng):
    """Any sizes and axes, both dtypes, constant tokens, large offsets, eps of every size."""
    for number in range(60):
        shape = tuple(map(int, rng.choice([1, 1, 2, 3, 5], rng.integers(1, 5))))
        spread = rng.choice([0.1, 1, 30])
        make = (forward, backward)[number % 2]
        inputs = make(rng, *shape, spread=spread)
        if rng.random() < 0.3:
            inputs["x"][rng.random(shape[:-1]) < 0.5] = rng.integers(-3, 4)
        if rng.random() < 0.2:
            inputs["x"] = inputs["x"] + np.float32(300 * spread)
        dtype = rng.choice([np.float32, np.float64])
        inputs = {name: x.astype(dtype) for name, x in inputs.items()}
        call = (there, back)[number % 2]
        yield call(str(number), inputs, {"eps": float(rng.choice([1e-5, 1e-3, 0.5, 2]))})
