import numpy as np

from grader.case import Case, in_float64

EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
LARGE = "Large entries"
COST = "Costs little for long sequences"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def qkv(rng, b, n, d, dv, dtype=np.float32):
    """Queries, keys, and values that depend on the keys, so that each query gets an output of its
    own.

    The first feature is at least 1, so every denominator is: an epsilon of 1e-6 must not show.
    """
    q, k = rng.normal(size=(2, b, n, d))
    q[..., 0], k[..., 0] = np.abs(q[..., 0]), np.abs(k[..., 0])
    v = 0.5 + k @ rng.normal(size=(d, dv)) + rng.normal(size=(b, n, dv))
    return {"q": q.astype(dtype), "k": k.astype(dtype), "v": v.astype(dtype)}


def rounded(inputs):
    return {name: x.round(1) + np.float32(0) for name, x in inputs.items()}


def large_entries(rng, b, n, d, dv):
    """Entries of 10 000 and -10 000 beside ordinary ones; the third feature keeps every denominator
    above 1. The fourth feature of all keys is 0, whatever the query's is. Keys of 5 000 compete with
    those of 10 000.
    """
    inputs = qkv(rng, b, n, d, dv)
    inputs["q"][:, ::2, 0] = 1e4
    inputs["q"][:, 1::2, 1] = -1e4
    inputs["k"][:, ::3, 0] = -1e4
    inputs["k"][:, 1::3, 1] = 1e4
    inputs["q"][..., 2] = inputs["k"][..., 2] = 0.25
    inputs["q"][:, 1::4, 3], inputs["k"][..., 3] = 1e4, -1e4
    inputs["k"][:, 2::3, 1] = 5e3
    return inputs


def values_cancel(rng):
    """float64 inputs in which neighbours have values near 100 000 and -100 000: ordinary outputs,
    of which float32 keeps two digits. The second of two neighbours has more of the first feature
    and less of the second, and every query likes it as well as the first: large sums cancel too.
    """
    inputs = qkv(rng, 2, 10, 5, 3, dtype=np.float64)
    q, k, v = inputs.values()
    q[..., 1], k[..., 1] = abs(q[..., 1]), abs(k[..., 1]) + 3
    q[..., 0] = 1.7 * q[..., 1] + 0.7  # its feature is 1.7 times that of the second
    k[:, 1::2] = k[:, ::2] + [1.1, -1.7 * 1.1, 0, 0, 0]
    v[:, ::2] += 100_000
    v[:, 1::2] -= 100_000
    return inputs


def small_numbers(inputs):
    """Small values, of which the first column is 0 and the last one faint; some entries are 0.
    Powers of two round nothing.
    """
    q, k, v = inputs.values()
    q[:, 1::2, 1], k[:, ::3, 1] = 0, 0
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**8
    return {"q": q, "k": k, "v": v / 2**8}


def loud_at_the_end(inputs):
    """The value of the last key is as large as those of all others together."""
    inputs["v"][:, -1] = 1e5
    return inputs


def hardly_any_key(rng, b, n, d, dv):
    """Entries of 10 000 in every query and of -10 000 in every key. Three keys alone have a feature
    above 0; the hundreds of others get no weight at all.
    """
    inputs = qkv(rng, b, n, d, dv)
    inputs["q"][..., 1:], inputs["k"][..., 1:] = 1e4, -1e4
    seen = rng.permutation(n)[:3]
    inputs["k"][:, np.isin(range(n), seen, invert=True), 0] = -1e4
    return inputs


def large_numbers(inputs):
    """Large values."""
    return inputs | {"v": inputs["v"] * 2**16}


def cases(rng):
    yield Case(
        "three words",
        inputs=rounded(qkv(rng, 1, 3, 2, 4)),
        sample=True,
        labels=("The", "cat", "sat"),
        note="The plain definition on three words.",
    )
    yield Case(
        "two sentences",
        inputs=rounded(qkv(rng, 2, 4, 3, 5)),
        sample=True,
        note="A batch of two, and values wider than the keys.",
    )
    yield Case(
        "a batch",
        inputs=small_numbers(qkv(rng, 3, 4, 37, 7)),
        note="Three sequences that have nothing to do with each other: few tokens, and wide keys.",
    )
    below = {name: rng.uniform(-1.5, -0.5, size=(2, 7, 4)).astype(np.float32) for name in "qk"}
    yield Case(
        "all entries negative",
        inputs=below | {"v": rng.normal(size=(2, 7, 5)).astype(np.float32) + 2},
        note="Every feature is below 1, so the denominator is small.",
    )
    yield Case(
        "1523 tokens",
        inputs=large_numbers(qkv(rng, 2, 1523, 4, 6)),
        note="A prime number of tokens, which no block size divides.",
    )
    yield Case(
        "square",
        inputs=qkv(rng, 2, 4, 4, 4),
        rule=EQUAL,
        same="n = D = Dv, so that a product along a wrong axis has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "one token",
        inputs={name: 1 + np.abs(x) for name, x in qkv(rng, 2, 1, 5, 3).items()},
        rule=ONE,
        note="With a single key there is only one value to take.",
    )
    yield Case(
        "one sequence",
        inputs=qkv(rng, 1, 6, 4, 3),
        rule=ONE,
        note="A batch of one is still a batch.",
    )
    yield Case(
        "vectors of one number",
        inputs=qkv(rng, 2, 5, 1, 1),
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1.",
    )
    yield Case(
        "entries of ten thousand",
        inputs=large_entries(rng, 2, 8, 5, 3),
        rule=LARGE,
        note="Large entries of both signs must not become inf or NaN.",
    )
    yield Case(
        "65537 tokens",
        inputs=loud_at_the_end(qkv(rng, 2, 65537, 4, 6)),
        memory_mib=512,
        cpu_factor=10,  # without it, code that compares every pair block by block passes in seconds
        rule=COST,
        note="A long document, little memory and little time.",
    )
    yield Case(
        "float64, values that cancel",
        inputs=values_cancel(rng),
        rule=PRECISION,
        note="Large values cancel in the output, and what is left needs their last digits.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=qkv(rng, 2, 6, 3, 4),
            wants=("after.q", "after.k", "after.v"),
            rule=ALONE,
            note="The caller still needs its arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=qkv(rng, 2, 5, 3, 4),
        layout={"q": "readonly", "k": "readonly", "v": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "strided inputs",
        inputs=qkv(rng, 2, 7, 3, 5),
        layout={"q": "strided", "k": "strided", "v": "strided"},
        rule=VIEWS,
        note="All three have gaps between their entries.",
    )
    yield Case(
        "inputs in another order in memory",
        inputs=qkv(rng, 3, 6, 2, 5),
        layout={"q": "transposed", "k": "transposed", "v": "transposed"},
        rule=VIEWS,
        note="In memory the first axis of all three is fastest, and there are no gaps.",
    )
    yield Case(
        "a second call",
        inputs=qkv(rng, 2, 1531, 4, 3),
        before=qkv(rng, 2, 1531, 4, 3),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers. Both are long.",
    )
    inputs = qkv(rng, 3, 7, 4, 5)
    inputs["q"][:, ::2, 1], inputs["k"][:, 1::3, 2] = 0, 0  # where the branches of φ meet
    yield Case(
        "gradients",
        inputs=inputs,
        wants=("output", "grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="The numerator and the denominator both depend on the keys.",
    )
    inputs = large_entries(rng, 2, 7, 5, 4)
    inputs["q"][:, 1, 4] = inputs["k"][:, 3, 4] = 95  # e^95 overflows in float32, e^80 does not
    yield Case(
        "gradients at ten thousand",
        inputs=inputs,
        wants=("grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="In PyTorch, the gradients of large entries must not become inf or NaN either.",
    )
    yield Case(
        "hardly any key above minus ten thousand",
        inputs=hardly_any_key(rng, 2, 509, 5, 3),
        rule=LARGE,
        note="Hundreds of keys have no feature above 0, and every query has entries of ten thousand.",
    )


def domain(rng):
    """Any sizes, entries from -10 000 to 10 000, both dtypes; one feature of every query and of
    every key keeps each denominator at 1 or more.
    """
    for number in range(70):
        b, n, d, dv = rng.choice([1, 1, 2, 3, 5], 4)
        q, k = rng.choice([0.1, 1, 30], 2)[:, None, None, None] * rng.standard_normal((2, b, n, d))
        large = rng.random((2, b, n, d)) < rng.choice([0, 0, 0.2])
        ends = rng.choice([-1e4, 1e4, 0], (2, b, n, d))
        q, k = np.where(large[0], ends[0], q), np.where(large[1], ends[1], k)
        feature = rng.integers(d)
        q[..., feature], k[..., feature] = abs(q[..., feature]), abs(k[..., feature])
        v = rng.choice([1, 100]) * rng.standard_normal((b, n, dv))
        dtype = rng.choice([np.float32, np.float64])
        inputs = {name: x.astype(dtype) for name, x in zip("qkv", (q, k, v), strict=True)}
        yield Case(str(number), inputs=inputs)
