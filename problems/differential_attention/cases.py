"""Differential attention: lambdas differ from head to head and are neither 0 nor 1, unless a case is
about that.
"""

import numpy as np

from grader.case import Case, in_float64

ANY = "A lambda of any size"
EQUAL = "Equal sizes change nothing"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"

LOUD = np.array([(1, 1 / 4, 1 / 2), (1 / 4, 1, 1 / 4)])[..., None]  # two examples, three heads
NAMES = ("q1", "k1", "q2", "k2", "v", "lam")


def tensors(rng, B, H, L, S, D, Dv, digits=None):
    """Scaled scores with a spread of about 1.5; lambdas from 0.3 to 0.9, in random order."""
    inputs = {
        "q1": 1.5 * rng.standard_normal((B, H, L, D)),
        "k1": rng.standard_normal((B, H, S, D)),
        "q2": 1.5 * rng.standard_normal((B, H, L, D)),
        "k2": rng.standard_normal((B, H, S, D)),
        "v": rng.standard_normal((B, H, S, Dv)),
        "lam": rng.permutation(np.linspace(0.35, 0.85, H)) + rng.uniform(-0.05, 0.05, H),
    }
    if digits is not None:
        inputs = {name: np.round(x, digits) + 0.0 for name, x in inputs.items()}
    return {name: x.astype(np.float32) for name, x in inputs.items()}


def lambdas(rng, inputs, *values):
    """The same with these lambdas, in random order."""
    return inputs | {"lam": rng.permutation(values).astype(np.float32)}


def small_numbers(inputs):
    """Scores as before from small keys, and small values; one query, one key, one lambda and one
    column of the values are 0, and two queries are faint. Powers of two round nothing.
    """
    q1, k1, q2, k2, v, lam = inputs.values()
    for q, k in ((q1, k1), (q2, k2)):
        q[..., 1, :], q[..., 2:4, :], q[..., 0, 0] = 0, q[..., 2:4, :] / 2**15, 0
        k[..., 1, :], k[..., 0, 1] = 0, k[..., 0, 1] / 2**6
    v[..., 2, :] *= 64
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**4
    lam[0] = 0
    return {
        "q1": q1 * 2**10,
        "k1": k1 / 2**10,
        "q2": q2 * 2**4,
        "k2": k2 / 2**4,
        "v": v / 2**12,
        "lam": lam,
    }


def faint_scores(inputs):
    """Weights that are nearly equal. All scores of the first query are below 1e-4 in both softmaxes,
    and go up and down with a column of the values, another one for each softmax.
    """
    v = inputs["v"]
    for column, side in enumerate("12"):
        q, k = inputs[f"q{side}"], inputs[f"k{side}"]
        q /= 8
        scores = (k * q[..., :1, :]).sum(axis=-1)  # (B, H, S)
        q[..., 0, :] *= 9e-5 / np.abs(scores).max(axis=-1, keepdims=True)
        v[..., column] = np.abs(v[..., column]) * np.sign(scores)
    return inputs


def large_numbers(inputs):
    """Scores as before from large keys, and large values."""
    q1, k1, q2, k2, v, lam = inputs.values()
    return {
        "q1": q1 / 2**16,
        "k1": k1 * 2**16,
        "q2": q2 * 2**12,
        "k2": k2 / 2**12,
        "v": v * 2**16,
        "lam": lam,
    }


def lift(inputs, side, rows, columns=None):
    """Scaled scores of about 1 000 * rows[..., i] * columns[j] in one of the two softmaxes; without
    columns, all keys of a row are equally high and the softmax is that of the other features.
    """
    q, k = inputs[f"q{side}"], inputs[f"k{side}"]
    D = q.shape[-1]
    q[..., 0] = 100 * np.array(rows)
    k[..., 0] = 10 * np.sqrt(D) * (1 if columns is None else np.array(columns))
    return inputs


def cancelling(rng, B, H, L, pairs, D, Dv):
    """Keys in pairs: in both softmaxes the weight of the second is `ratio` times that of the first,
    and values near 1e5 cancel in the output but for about 1. A rounding to float32 anywhere leaves
    more than 1e-4 of that. Every score has the same large part, which a softmax ignores.
    """
    shapes = ((B, H, L, D), (B, H, pairs, D)) * 2
    q1, k1, q2, k2 = (rng.standard_normal(shape) for shape in shapes)
    k1, k2 = (np.repeat(k, 2, axis=2) for k in (k1, k2))
    v = rng.standard_normal((B, H, 2 * pairs, Dv))
    ratio = rng.uniform(1.5, 3, (B, H, pairs, 1))
    for q, k in ((q1, k1), (q2, k2)):
        q *= 1.5
        q[..., -2:] = np.sqrt(D) * np.array([17.3, 1])
        k[..., -2:] = [18.7, 0]
        k[..., 1::2, -1:] = np.log(ratio)
    large = 1e5 * rng.standard_normal((B, H, pairs, Dv))
    v[..., ::2, :] += large
    v[..., 1::2, :] -= large / ratio
    lam = rng.permutation(np.linspace(0.4, 0.8, H))
    return {"q1": q1, "k1": k1, "q2": q2, "k2": k2, "v": v, "lam": lam}


def nearly_equal(rng, B, H, L, S, D, Dv):
    """Both softmaxes are alike and lambda is close to 1, so that the output is 1e-5 of either: what
    is left of lambda in float32 shows.
    """
    inputs = {name: x.astype(float) for name, x in tensors(rng, B, H, L, S, D, Dv).items()}
    inputs["q2"], inputs["k2"] = inputs["q1"].copy(), inputs["k1"].copy()
    inputs["v"] *= 1e5
    return inputs | {"lam": 1 - 1e-5 * rng.uniform(1.1, 2.9, H)}


def cases(rng):
    yield Case(
        "three words, two heads",
        inputs=tensors(rng, B=1, H=2, L=3, S=3, D=4, Dv=5, digits=1),
        sample=True,
        labels=("The", "cat", "sat"),
        same="three words attend to each other: L = S",
        note="Each head takes its own share of the second softmax from the first.",
    )
    yield Case(
        "a lambda of one",
        inputs=tensors(rng, B=1, H=1, L=2, S=4, D=3, Dv=5, digits=1)
        | {"lam": np.array([1], dtype=np.float32)},
        sample=True,
        rule=ANY,
        same="one text and one head: B = H = 1",
        note="The weights of each row sum to 0.",
    )
    yield Case(
        "three heads",
        inputs=large_numbers(tensors(rng, B=2, H=3, L=4, S=6, D=8, Dv=5)),
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield Case(
        "a query of zeros",
        inputs=small_numbers(tensors(rng, B=2, H=4, L=5, S=3, D=6, Dv=7)),
        note="One query of each softmax is 0 everywhere, and the lambda of head 0 is 0 too.",
    )
    yield Case(
        "a longer text",
        inputs=faint_scores(tensors(rng, B=2, H=3, L=67, S=293, D=4, Dv=9)),
        note="67 queries and 293 keys, and all weights of a softmax are nearly the same.",
    )
    yield Case(
        "lambdas of zero and one",
        inputs=lambdas(rng, tensors(rng, B=2, H=4, L=5, S=7, D=6, Dv=3), 0, 1, 0.5, 0.02),
        rule=ANY,
        note="One head is plain attention, and in another the weights sum to 0.",
    )
    yield Case(
        "lambdas below zero and above one",
        inputs=lambdas(rng, tensors(rng, B=2, H=5, L=3, S=4, D=7, Dv=6), -9, -0.6, 1.4, 9.5, 0.3),
        rule=ANY,
        note="A negative lambda adds, and a large one turns the weights round.",
    )
    faint = lambdas(rng, tensors(rng, B=2, H=3, L=4, S=7, D=5, Dv=6), 6e-5, 0.6, 8e-5)
    loud = rng.permutation(7) == 0
    faint["q1"][..., 0] = 1.5
    faint["k1"][..., 0] = 10 * np.sqrt(5) * np.where(loud, -1, 1)
    faint["v"][:, :, loud] *= 3000
    yield Case(
        "faint lambdas",
        inputs=faint,
        rule=ANY,
        note="The first softmax ignores a key of large values, so that a small lambda shows.",
    )
    yield Case(
        "square",
        inputs=tensors(rng, B=4, H=4, L=4, S=4, D=5, Dv=6),
        rule=EQUAL,
        same="B = H = L = S, so that a lambda along a wrong axis has a right shape",
        note="As many heads as queries and keys, so only the meaning of the axes is left to go by.",
    )
    first = tensors(rng, B=2, H=3, L=4, S=5, D=7, Dv=6)
    yield Case(
        "huge scores in the first softmax",
        inputs=lift(
            first,
            1,
            LOUD * rng.permutation([9.5, -9.5, 3, -1]),
            rng.permutation([1, -1, 0.5, -0.2, 0.2]),
        ),
        rule=LARGE,
        note="Scores up to 10 000 in float32; rows, heads and examples on very different scales.",
    )
    second = tensors(rng, B=2, H=3, L=4, S=5, D=6, Dv=7)
    yield Case(
        "huge scores in the second softmax",
        inputs=lift(
            second,
            2,
            LOUD * rng.permutation([9.5, -9.5, 3, -1]),
            rng.permutation([1, -1, 0.5, -0.2, 0.2]),
        ),
        rule=LARGE,
        note="What is taken away may have scores up to 10 000 too.",
    )
    both = tensors(rng, B=2, H=4, L=3, S=5, D=6, Dv=7)
    order = rng.permutation([[1, -1, 0.8], [1, 0.9, -1]], axis=1)
    yield Case(
        "high scores beside low ones",
        inputs=lift(lift(both, 1, order[0]), 2, order[1]),
        rule=LARGE,
        note="All scores of a row lie near 1 000 or near -1 000, and in the other softmax elsewhere.",
    )
    ignored = tensors(rng, B=2, H=3, L=4, S=6, D=7, Dv=5)
    columns = rng.permutation([1, 1, 1, 1, 1, -1])
    for side in (1, 2):
        lift(ignored, side, rng.permutation([1, 0.9, 0.8, 0.7]), columns)
    yield Case(
        "a key that both ignore",
        inputs=ignored,
        rule=LARGE,
        note="One key lies far below the others in both softmaxes.",
    )
    far = tensors(rng, B=2, H=3, L=4, S=8, D=5, Dv=7)
    yield Case(
        "every score far below zero",
        inputs=lift(lift(far, 1, [-1.6, -2, -1.8, -2.4]), 2, [-2, -1.6, -2.4, -1.8]),
        rule=LARGE,
        note="The largest score of each row is below -1000.",
    )
    faint = tensors(rng, B=2, H=4, L=3, S=8, D=5, Dv=7)
    yield Case(
        "every score near -40",
        inputs=lift(lift(faint, 1, [-0.04, -0.042, -0.038]), 2, [-0.038, -0.04, -0.042]),
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "one query, one key",
        inputs=tensors(rng, B=2, H=3, L=1, S=1, D=4, Dv=5),
        rule=ONE,
        same="a single query meets a single key: L = S = 1",
        note="Both softmaxes are 1, so only lambda is left.",
    )
    yield Case(
        "three queries, one key",
        inputs=tensors(rng, B=2, H=4, L=3, S=1, D=5, Dv=6),
        rule=ONE,
        note="Every query has the same single key, and an output of its own.",
    )
    yield Case(
        "one example, one head",
        inputs=tensors(rng, B=1, H=1, L=3, S=5, D=4, Dv=6),
        rule=ONE,
        same="B = H = 1",
        note="A single lambda.",
    )
    yield Case(
        "vectors of one number",
        inputs=tensors(rng, B=2, H=3, L=4, S=5, D=1, Dv=1),
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1.",
    )
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng, B=2, H=3, L=5, pairs=4, D=10, Dv=7),
        rule=PRECISION,
        note="Double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield Case(
        "cancelling softmaxes in float64",
        inputs=nearly_equal(rng, B=2, H=4, L=3, S=6, D=5, Dv=7),
        rule=PRECISION,
        note="Double precision: both softmaxes are alike, and lambda is just below 1.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=tensors(rng, B=2, H=4, L=3, S=6, D=5, Dv=7),
            wants=tuple(f"after.{name}" for name in NAMES),
            rule=ALONE,
            note="The caller goes on using the six arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=tensors(rng, B=2, H=4, L=5, S=3, D=8, Dv=7),
        layout=dict.fromkeys(NAMES, "readonly"),
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=tensors(rng, B=3, H=4, L=6, S=5, D=8, Dv=7),
        layout=dict.fromkeys(NAMES, "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
    )
    yield Case(
        "views without gaps",
        inputs=tensors(rng, B=2, H=3, L=5, S=7, D=4, Dv=6),
        layout=dict.fromkeys(NAMES, "transposed"),
        rule=VIEWS,
        note="The entries lie side by side, but the first axis changes fastest, as after a transposition.",
    )
    yield Case(
        "a second call",
        inputs=tensors(rng, B=2, H=3, L=4, S=9, D=7, Dv=5),
        before=tensors(rng, B=2, H=3, L=4, S=9, D=7, Dv=5),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield Case(
        "gradients",
        inputs=tensors(rng, B=2, H=3, L=5, S=4, D=6, Dv=7),
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch both softmaxes learn, and so does lambda.",
    )
    yield Case(
        "gradients with a lambda of zero",
        inputs=lambdas(rng, tensors(rng, B=2, H=3, L=6, S=5, D=4, Dv=7), 0, 1, 0.5),
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch a lambda of 0 learns too: its gradient is not 0.",
    )
    yield Case(
        "gradients with all lambdas zero",
        inputs=lambdas(rng, tensors(rng, B=2, H=3, L=6, S=4, D=5, Dv=7), 0, 0, 0),
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch the lambdas learn also where nothing is taken away yet.",
    )
    yield Case(
        "gradients with one head",
        inputs=tensors(rng, B=2, H=1, L=3, S=5, D=4, Dv=6),
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch a single lambda learns as well.",
    )
    yield Case(
        "one query, many keys",
        inputs=tensors(rng, B=2, H=3, L=1, S=5003, D=4, Dv=5),
        rule=ONE,
        note="A single query in each head, and five thousand keys: most weights are below a ten-thousandth.",
    )


def domain(rng):
    """Any small sizes, lambdas from -10 to 10 and scaled scores up to 10 000."""
    for number in range(80):
        B, H, L, S, D, Dv = map(int, rng.choice([1, 1, 2, 3, 4], 6))
        inputs = tensors(rng, B, H, L, S, D, Dv)
        for name in ("q1", "q2"):
            spread = np.float32(rng.choice([0, 1, 1, 30, 900]))
            inputs[name] = np.clip(inputs[name] * spread, -2000, 2000)
        if rng.random() < 0.6:
            inputs["lam"] = rng.choice([-9, -1, 0, 0, 0.5, 1, 2, 9], H) * rng.choice([1, 1.01])
        dtype = rng.choice([np.float32, np.float64])
        yield Case(str(number), inputs={name: x.astype(dtype) for name, x in inputs.items()})
