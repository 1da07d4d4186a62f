"""RMS normalisation: nothing is subtracted, and eps is under the root.

In ordinary cases the numbers of a token are near 30, so that an eps of 1e-5 does not show,
wherever it stands: it shows in the cases of its own rule.
"""

import numpy as np

from grader.case import Case, in_float64

MEAN = "The mean stays"
AXES = "Any number of axes stands before the last"
EPS = "The argument eps stands inside the root"
ZEROS = "A token of zeros stays zeros"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"

SMALL = {"eps": 1e-5}


def tokens(rng, *shape, size=30.0):
    """Tokens whose numbers have both signs, and whose mean square is another for each token."""
    x = rng.uniform(0.5, 1.5, shape) * rng.choice([-1, 1], shape)
    return size * x * rng.uniform(0.7, 1.4, (*shape[:-1], 1))


def inputs(rng, *shape, size=30.0, dtype=np.float32):
    gain = rng.uniform(0.5, 2, shape[-1])
    gain[: shape[-1] // 3] *= -1
    return {"x": tokens(rng, *shape, size=size).astype(dtype), "gain": gain.astype(dtype)}


def rounded(arrays, digits=0):
    x, gain = arrays["x"].round(digits), arrays["gain"].round(1)
    return {"x": x + np.float32(0), "gain": gain + np.float32(0)}


def far_from_zero(rng, *shape):
    """Tokens whose numbers all lie on one side of 0; every third token is a single number."""
    arrays = inputs(rng, *shape)
    offset = rng.uniform(100, 200, (*shape[:-1], 1)) * rng.choice([-1, 1], (*shape[:-1], 1))
    x = offset + arrays["x"] / 2
    x[::3] = offset[::3]
    return {**arrays, "x": x.astype(np.float32)}


def some_zeros(rng, *shape, size=30.0):
    arrays = inputs(rng, *shape, size=size)
    arrays["x"][::2] = 0
    return arrays


def nearly_normal(rng, *shape):
    """Tokens whose mean squares are within a thousandth of 1, and not nearer than half of that."""
    arrays = inputs(rng, *shape)
    x = arrays["x"].astype(np.float64)
    off = rng.uniform(5e-4, 9e-4, (*shape[:-1], 1)) * rng.choice([-1, 1], (*shape[:-1], 1))
    x *= np.sqrt((1 + off) / (x**2).mean(axis=-1, keepdims=True))
    return {**arrays, "x": x.astype(np.float32)}


def case(name, arrays, options=SMALL, **rest):
    return Case(name, inputs=arrays, options=options, **rest)


def cases(rng):
    yield case(
        "two tokens",
        rounded(inputs(rng, 2, 4)),
        sample=True,
        note="The plain definition: each token is divided by a number of its own.",
    )
    yield case(
        "eps as large as the mean square",
        rounded(inputs(rng, 2, 3, size=1.5), digits=1),
        {"eps": 2.0},
        sample=True,
        rule=EPS,
        note="Where eps stands and what it is makes all the difference here.",
    )
    yield case(
        "seven tokens",
        inputs(rng, 7, 5),
        note="More tokens than columns: a mean over the wrong axis shows.",
    )
    ordinary = inputs(rng, 4, 6)
    ordinary["x"][:, 2], ordinary["gain"][1] = 0, 0
    yield case("a gain of zero", ordinary, note="Gains are any numbers; one column of x is 0.")
    yield case(
        "tokens of 1009 numbers",
        inputs(rng, 3, 1009),
        note="A wide token: the squares of all its numbers count.",
    )
    large = inputs(rng, 5, 3)
    large["x"] = large["x"] * np.float32(300)
    yield case("large numbers", large, note="Numbers near ten thousand are ordinary, too.")
    yield case(
        "tokens far from zero",
        far_from_zero(rng, 6, 5),
        rule=MEAN,
        note="All numbers of a token have one sign, and some tokens are one number again and again.",
    )
    yield case("one token, one axis", inputs(rng, 6), rule=AXES, note="x has the shape (E,).")
    yield case(
        "a batch of sentences",
        inputs(rng, 2, 3, 5),
        layout={"x": "transposed"},
        rule=AXES,
        note="x has the shape (B, n, E), and its first axis changes fastest in memory.",
    )
    yield case(
        "four axes",
        inputs(rng, 2, 3, 5, 4),
        layout={"x": "strided"},
        rule=AXES,
        note="x has three axes before the last, and they lie in another order in memory.",
    )
    yield case(
        "eps of a half",
        inputs(rng, 5, 6, size=0.7),
        {"eps": 0.5},
        rule=EPS,
        note="The mean square and eps are of the same size.",
    )
    yield case(
        "small numbers, and a small eps",
        inputs(rng, 4, 3, size=5e-6),
        {"eps": 2e-11},
        rule=EPS,
        note="The mean square is tiny, and eps is about as large.",
    )
    yield case(
        "eps beside single numbers",
        inputs(rng, 5, 1, size=0.8),
        {"eps": 0.7},
        rule=EPS,
        note="Tokens one number wide: eps is about as large as the square of each.",
    )
    yield case(
        "tokens of zeros",
        some_zeros(rng, 5, 7),
        rule=ZEROS,
        note="Every second token is nothing but zeros.",
    )
    yield case(
        "tokens one number wide",
        inputs(rng, 4, 1),
        rule=ONE,
        note="A single number is its own root mean square, but for the sign.",
    )
    yield case(
        "a sentence of one token",
        nearly_normal(rng, 1, 5),
        {"eps": 1e-12},
        rule=ONE,
        note="There is one token, and its mean square is within a thousandth of 1.",
    )
    yield case(
        "sentences of one token",
        inputs(rng, 3, 1, 6),
        rule=AXES,
        note="An axis of one stands in the middle.",
    )
    beyond = inputs(rng, 4, 5, size=1e100, dtype=np.float64)
    beyond["gain"] *= 1e50
    yield case(
        "float64, numbers near 1e100",
        beyond,
        {"eps": 1e50},
        rule=PRECISION,
        note="Double precision holds numbers that are far beyond single precision.",
    )
    yield in_float64(
        case(
            "the inputs afterwards",
            inputs(rng, 3, 7),
            wants=("after.x", "after.gain"),
            rule=ALONE,
            note="The caller still needs its arrays. Only they are looked at here.",
        )
    )
    yield case(
        "read-only inputs",
        inputs(rng, 3, 8),
        layout={"x": "readonly", "gain": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield case(
        "views",
        inputs(rng, 6, 4),
        layout={"x": "strided", "gain": "strided"},
        rule=VIEWS,
        note="The arrays have gaps between their elements.",
    )
    yield case(
        "a second call",
        inputs(rng, 4, 9),
        before=inputs(rng, 4, 9),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield case(
        "gradients",
        inputs(rng, 4, 7, size=1.0),
        {"eps": 1e-12},
        wants=("grad.x", "grad.gain"),
        rule=GRADIENTS,
        note="In PyTorch the token and the gain learn, and the root depends on the token.",
    )
    yield case(
        "gradients of a token of zeros",
        some_zeros(rng, 3, 5, size=0.3),
        {"eps": 1e-3},
        wants=("grad.x", "grad.gain"),
        rule=GRADIENTS,
        note="In PyTorch a token of zeros has finite gradients, and does not spoil those of others.",
    )
    normal = tokens(rng, 10, size=1.0)
    normal /= np.sqrt((normal**2).mean())
    yield case(
        "gradients of one token, one axis",
        {"x": normal.astype(np.float32), "gain": np.ones(10, np.float32)},
        {"eps": 1e-12},
        wants=("grad.x", "grad.gain"),
        rule=GRADIENTS,
        note="In PyTorch x has the shape (E,) and a mean square of 1, and every gain is 1, where learning begins.",
    )


def domain(rng):
    """Any sizes and axes, both dtypes, tokens of zeros, numbers of every size, eps of every size."""
    for number in range(60):
        shape = tuple(map(int, rng.choice([1, 1, 2, 3, 5], rng.integers(1, 5))))
        dtype = rng.choice([np.float32, np.float64])
        size = rng.choice([0.01, 1, 30, 10_000])
        arrays = inputs(rng, *shape, size=size, dtype=dtype)
        if rng.random() < 0.3:
            arrays["x"][rng.random(shape[:-1]) < 0.5] = 0
        if rng.random() < 0.3:
            arrays["x"] = abs(arrays["x"])
        yield case(str(number), arrays, {"eps": float(rng.choice([1e-5, 1e-3, 0.5, 2]))})
