"""Attention sinks: the sinks are about as large as the largest scores of a row, so that they take a
good share, and differ from head to head.
"""

import numpy as np

from grader.case import Case, in_float64

ANY = "A sink of any size"
EQUAL = "Equal sizes change nothing"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def tensors(rng, B, H, L, S, D, Dv, digits=None):
    """Scaled scores with a spread of about 1.5; sinks from 0.5 to 4, in random order."""
    inputs = {
        "q": 1.5 * rng.standard_normal((B, H, L, D)),
        "k": rng.standard_normal((B, H, S, D)),
        "v": rng.standard_normal((B, H, S, Dv)),
        "sinks": rng.permutation(np.linspace(0.5, 4, H)) + rng.uniform(-0.3, 0.3, H),
    }
    if digits is not None:
        inputs = {name: np.round(x, digits) + 0.0 for name, x in inputs.items()}
    return {name: x.astype(np.float32) for name, x in inputs.items()}


def small_numbers(inputs):
    """Scores as before from small keys, and small values; one query, one key, one sink and one
    column of the values are 0, and one query is faint. Powers of two round nothing.
    """
    q, k, v, sinks = inputs.values()
    q[..., 1, :], q[..., 2, :], q[..., 0, 0] = 0, q[..., 2, :] / 2**15, 0
    k[..., 1, :], k[..., 0, 1] = 0, k[..., 0, 1] / 2**6
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**4
    sinks[0] = 0
    return {"q": q * 2**10, "k": k / 2**10, "v": v / 2**12, "sinks": sinks}


def large_numbers(inputs):
    """Scores as before from large keys, and large values."""
    q, k, v, sinks = inputs.values()
    return {"q": q / 2**16, "k": k * 2**16, "v": v * 2**16, "sinks": sinks}


def ladder(rng, B, D, Dv, rows, columns, sinks, loud=1):
    """Scaled scores of about 32 * loud[b, h] * rows[i] * columns[j]: far apart, so each row has one
    clear winner.
    """
    H, L, S = len(sinks), len(rows), len(columns)
    rows = np.multiply.outer(np.broadcast_to(loud, (B, H)), rows)  # (B, H, L)
    inputs = tensors(rng, B, H, L, S, D, Dv)
    q = rng.uniform(-0.5, 0.5, (B, H, L, D))
    k = rng.uniform(-0.5, 0.5, (B, H, S, D))
    q[..., 0] = 8 * rows
    k[..., 0] = 4 * np.sqrt(D) * np.array(columns)
    sinks = np.array(sinks) + rng.uniform(-0.5, 0.5, H)
    return inputs | {
        name: x.astype(np.float32) for name, x in (("q", q), ("k", k), ("sinks", sinks))
    }


def cancelling(rng, B, H, L, pairs, D, Dv):
    """Keys in pairs: the weight of the second is `ratio` times that of the first, and values near
    1e5 cancel in the output but for about 1. A rounding to float32 anywhere leaves more than 1e-4
    of that. Every score, and every sink, has the same large part.
    """
    q = 1.5 * rng.standard_normal((B, H, L, D))
    k = np.repeat(rng.standard_normal((B, H, pairs, D)), 2, axis=2)
    v = rng.standard_normal((B, H, 2 * pairs, Dv))
    ratio = rng.uniform(1.5, 3, (B, H, pairs, 1))
    q[..., -2:] = np.sqrt(D) * np.array([97.3, 1])
    k[..., -2:] = [91.7, 0]
    k[..., 1::2, -1:] = np.log(ratio)
    large = 1e5 * rng.standard_normal((B, H, pairs, Dv))
    v[..., ::2, :] += large
    v[..., 1::2, :] -= large / ratio
    sinks = np.float32(97.3 * 91.7 + rng.uniform(2, 4, H)).astype(np.float64) + 4e-4
    return {"q": q, "k": k, "v": v, "sinks": sinks}


def cases(rng):
    yield Case(
        "three words, two heads",
        inputs=tensors(rng, B=1, H=2, L=3, S=3, D=4, Dv=5, digits=1),
        sample=True,
        labels=("The", "cat", "sat"),
        same="three words attend to each other: L = S",
        note="The weights of each row sum to less than 1.",
    )
    yield Case(
        "two queries, three heads",
        inputs=tensors(rng, B=1, H=3, L=2, S=4, D=5, Dv=1, digits=1),
        sample=True,
        same="values of a single number: Dv = B",
        note="Each head has a sink of its own. Each value is a single number.",
    )
    yield Case(
        "three heads",
        inputs=large_numbers(tensors(rng, B=2, H=3, L=4, S=6, D=8, Dv=5)),
        layout={"q": "transposed", "v": "transposed"},
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield Case(
        "a query of zeros",
        inputs=small_numbers(tensors(rng, B=2, H=4, L=5, S=3, D=6, Dv=7)),
        note="One query is 0 everywhere, so all its scores are 0; the sink of head 0 is 0 too.",
    )
    yield Case(
        "a longer text",
        inputs=tensors(rng, B=2, H=3, L=67, S=101, D=16, Dv=9),
        note="67 queries and 101 keys.",
    )
    inputs = tensors(rng, B=2, H=4, L=5, S=7, D=6, Dv=3)
    yield Case(
        "sinks below zero",
        inputs=inputs | {"sinks": -rng.permutation(inputs["sinks"])},
        rule=ANY,
        note="Small sinks, which take little.",
    )
    yield Case(
        "sinks far below and far above",
        inputs=tensors(rng, B=2, H=4, L=3, S=5, D=7, Dv=6)
        | {"sinks": rng.permutation([-9000, -150, 2, 20]).astype(np.float32)},
        rule=ANY,
        note="One sink takes nearly everything, two take nothing.",
    )
    yield Case(
        "sinks of zero",
        inputs=tensors(rng, B=2, H=3, L=5, S=4, D=6, Dv=8) | {"sinks": np.zeros(3, np.float32)},
        rule=ANY,
        note="All sinks are 0, as in a new layer, and each takes its share.",
    )
    inputs = tensors(rng, B=2, H=3, L=5, S=4, D=7, Dv=6)
    inputs["sinks"] = rng.permutation([9900, 300, 1.5]).astype(np.float32)
    inputs["v"][:, inputs["sinks"] > 2] *= 1e15
    yield Case(
        "a sink of ten thousand",
        inputs=inputs,
        rule=ANY,
        note="Two heads give 0, whatever their values are, and the third has something to say.",
    )
    yield Case(
        "square",
        inputs=tensors(rng, B=4, H=4, L=4, S=4, D=5, Dv=6),
        rule=EQUAL,
        same="B = H = L = S, so that a sink along a wrong axis has a right shape",
        note="As many heads as queries and keys, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "huge scores",
        inputs=ladder(
            rng,
            *(2, 7, 6),
            rows=(3, -3, 1, -2),
            columns=(80, -100, 40, 100, -60),
            sinks=(2, 1, 3),
            loud=[(1, 0.25, 0.5), (0.25, 1, 0.25)],
        ),
        rule=LARGE,
        note="Scores up to 10 000 in float32; rows, heads and examples on very different scales.",
    )
    yield Case(
        "low scores and a low sink",
        inputs=ladder(
            rng,
            2,
            6,
            5,
            rows=(3.125, 1.5, 3),
            columns=(-99, -99.99, -98),
            sinks=(-9790, -9800, -4700, -9400),
        ),
        rule=LARGE,
        same="L = S = 3",
        note="All scores of a row are thousands below 0, and so is the sink.",
    )
    yield Case(
        "high scores and a high sink",
        inputs=ladder(
            rng, 3, 6, 5, rows=(3.125, 3.1), columns=(99, 99.99, 98, 97), sinks=(9999, 9920)
        ),
        rule=LARGE,
        same="L = H = 2",
        note="All scores of a row lie close to 10 000, and so does the sink.",
    )
    yield Case(
        "every score near -40",
        inputs=ladder(
            rng,
            *(2, 6, 7),
            rows=(1, 0.95, 1.02),
            columns=(-1.25, -1.2, -1.3, -1.22),
            sinks=(-39, -41, -40, -38, -42),
        ),
        rule=LARGE,
        note="All scores and sinks lie near -40, and their differences are ordinary.",
    )
    lonely = tensors(rng, B=2, H=3, L=1, S=1, D=4, Dv=5)
    lonely["q"][:, 0], lonely["sinks"][0] = (
        0,
        rng.uniform(-9.5, -9.3),
    )  # its share is just below 1e-4
    yield Case(
        "one query, one key",
        inputs=lonely,
        rule=ONE,
        same="a single query meets a single key: L = S = 1",
        note="The key shares the attention with the sink.",
    )
    yield Case(
        "one example, one head",
        inputs=tensors(rng, B=1, H=1, L=3, S=1, D=4, Dv=6),
        rule=ONE,
        same="B = H = S = 1",
        note="A single sink and a single key, which share the attention in another way for each query.",
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
    lonely = tensors(rng, B=2, H=3, L=4, S=1, D=5, Dv=6)
    lonely = {name: x.astype(np.float64) for name, x in lonely.items()}
    lonely["q"][..., -1], lonely["k"][..., -1] = np.sqrt(5) * 97.3, 91.7
    lonely["sinks"] += 97.3 * 91.7
    yield Case(
        "one key in float64",
        inputs=lonely,
        rule=PRECISION,
        note="A single key beside the sink, in double precision. Scores and sinks have a large part in common.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=tensors(rng, B=2, H=4, L=3, S=6, D=5, Dv=7),
            wants=("after.q", "after.k", "after.v", "after.sinks"),
            rule=ALONE,
            note="The caller goes on using the four arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=tensors(rng, B=2, H=4, L=5, S=3, D=8, Dv=7),
        layout=dict.fromkeys(("q", "k", "v", "sinks"), "readonly"),
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=tensors(rng, B=3, H=4, L=6, S=5, D=8, Dv=7),
        layout=dict.fromkeys(("q", "k", "v", "sinks"), "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
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
        inputs=tensors(rng, B=2, H=3, L=5, S=4, D=8, Dv=7),
        wants=("output", "grad.q", "grad.k", "grad.v", "grad.sinks"),
        rule=GRADIENTS,
        note="In PyTorch the sinks learn too.",
    )
    yield Case(
        "gradients with a large sink",
        inputs=tensors(rng, B=2, H=3, L=6, S=5, D=4, Dv=7)
        | {"sinks": rng.permutation([5000, 150, 1.5]).astype(np.float32)},
        wants=("grad.q", "grad.k", "grad.v", "grad.sinks"),
        rule=GRADIENTS,
        note="In PyTorch the gradients are finite, also where a sink takes everything.",
    )


def domain(rng):
    """Any small sizes, sinks and scaled scores up to 10 000."""
    for number in range(80):
        B, H, L, S, D, Dv = map(int, rng.choice([1, 1, 2, 3, 4], 6))
        inputs = tensors(rng, B, H, L, S, D, Dv)
        spread = float(rng.choice([0, 1, 1, 30, 1000]))
        inputs["q"] = np.clip(inputs["q"] * np.float32(spread), -2000, 2000)
        sinks = rng.choice([-9000, -100, 0, 1, 20, 200, 9900], H) + rng.standard_normal(H)
        if rng.random() < 0.6:
            inputs["sinks"] = sinks
        dtype = rng.choice([np.float32, np.float64])
        yield Case(str(number), inputs={name: x.astype(dtype) for name, x in inputs.items()})
