import numpy as np

from grader.case import Case, in_float64

PAST = "The future changes nothing"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
LARGE = "Large entries"
COST = "Costs little for long sequences"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"


def qkv(rng, b, n, d, dv, dtype=np.float32):
    """Queries, keys, and values that depend on the keys, so that each query gets an output of its
    own.

    The first feature is at least 1, as are all of the first token, so every denominator is: an
    epsilon of 1e-6 must not show.
    """
    q, k = rng.normal(size=(2, b, n, d))
    q[:, 0], k[:, 0] = np.abs(q[:, 0]), np.abs(k[:, 0])
    q[..., 0], k[..., 0] = np.abs(q[..., 0]), np.abs(k[..., 0])
    v = 0.5 + k @ rng.normal(size=(d, dv)) + rng.normal(size=(b, n, dv))
    return {"q": q.astype(dtype), "k": k.astype(dtype), "v": v.astype(dtype)}


def long(rng):
    """A sequence that a prefix sum in float32 can follow, with a first value that shows what is
    done to the first denominator.
    """
    inputs = qkv(rng, 2, 65537, 4, 5)
    inputs["q"][:, 0] = inputs["k"][:, 0] = 0.1
    inputs["v"][:, 0] = 30
    return inputs


def rounded(inputs):
    return {name: x.round(1) + np.float32(0) for name, x in inputs.items()}


def large_entries(rng):
    """Entries of 10 000 and -10 000 beside ordinary ones; the third feature keeps every denominator
    above 1.
    """
    inputs = qkv(rng, 2, 8, 5, 3)
    inputs["q"][:, ::2, 0] = 1e4
    inputs["q"][:, 1::2, 1] = -1e4
    inputs["k"][:, ::3, 0] = -1e4
    inputs["k"][:, 1::3, 1] = 1e4
    inputs["q"][..., 2] = inputs["k"][..., 2] = 1.5
    return inputs


def values_cancel(rng):
    """float64 inputs in which neighbours have values near 100 000 and -100 000, of which float32
    keeps two digits. Their keys have the last two features alone, one more of the first and less
    of the second: a query that sees both likes both as well, so that large sums cancel, and one
    that sees only one of them does not have these features. Every output is ordinary.
    """
    inputs = qkv(rng, 2, 601, 4, 3, dtype=np.float64)
    q, k, v = inputs.values()
    q[:, 1::2], k[:, 1:] = abs(q[:, 1::2]), -60
    q[:, 1::2, 2:], q[:, ::2, 3] = -60, abs(q[:, ::2, 3])
    q[:, ::2, 2] = 1.7 * q[:, ::2, 3] + 0.7  # its feature is 1.7 times that of the last
    k[:, 1::2, 2:] = rng.uniform([0, 3], [1, 4], (2, 300, 2))
    k[:, 2::2, 2:] = k[:, 1::2, 2:] + [1.1, -1.7 * 1.1]
    v[:, 1::2] += 100_000
    v[:, 2::2] -= 100_000
    return inputs


def small_numbers(inputs):
    """Small values, of which the first column is 0 and the last one faint; some entries are 0.
    Powers of two round nothing.
    """
    q, k, v = inputs.values()
    q[:, 1::2, 1], k[:, ::3, 1] = 0, 0
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**4
    return {"q": q, "k": k, "v": v / 2**12}


def large_numbers(inputs):
    """Large values."""
    return inputs | {"v": inputs["v"] * 2**16}


def cases(rng):
    yield Case(
        "four words",
        inputs=rounded(qkv(rng, 1, 4, 2, 3)),
        sample=True,
        labels=("The", "cat", "sat", "down"),
        note="The plain definition: each word sees itself and the words before it.",
    )
    yield Case(
        "two sentences",
        inputs=rounded(qkv(rng, 2, 3, 4, 5)),
        sample=True,
        note="A batch of two, and values wider than the keys.",
    )
    yield Case(
        "a batch",
        inputs=small_numbers(qkv(rng, 3, 8, 5, 7)),
        layout={"q": "transposed", "v": "transposed"},
        note="Three sequences that have nothing to do with each other.",
    )
    below = {name: rng.uniform(-0.6, -0.1, size=(2, 7, 4)).astype(np.float32) for name in "qk"}
    below["q"][:, 0] = below["k"][:, 0] = -0.69  # a denominator of 1.006
    yield Case(
        "all entries negative",
        inputs=below | {"v": rng.normal(size=(2, 7, 5)).astype(np.float32) + 2},
        note="Every feature is below 1, so the first denominators are small.",
    )
    yield Case(
        "1009 tokens",
        inputs=large_numbers(qkv(rng, 2, 1009, 5, 3)),
        note="A prime number of tokens, which no block size divides.",
    )
    late = qkv(rng, 2, 131, 4, 5)
    # the last key has one feature, and its own query does not: every output is ordinary
    late["k"][:, -1], late["k"][:, -1, 1] = -1e4, 1e4
    late["v"][:, -1], late["q"][:, -1, 1] = 1e4, -1e4
    yield Case(
        "a shout at the end",
        inputs=late,
        rule=PAST,
        note="The last token is enormous. Nobody before it may hear it.",
    )
    yield Case(
        "square",
        inputs=qkv(rng, 4, 4, 4, 4),
        rule=EQUAL,
        same="B = n = D = Dv, so that a sum along a wrong axis has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "one token",
        inputs=qkv(rng, 2, 1, 5, 3),
        rule=ONE,
        note="A token alone has only itself to look at.",
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
        inputs=large_entries(rng),
        rule=LARGE,
        note="Large entries of both signs must not become inf or NaN.",
    )
    yield Case(
        "65537 tokens",
        inputs=long(rng),
        memory_mib=512,
        cpu_factor=8,
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
        "a second call",
        inputs=qkv(rng, 2, 300, 3, 4),
        before=qkv(rng, 2, 300, 3, 4),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers. It is longer than a block.",
    )
    yield Case(
        "256 tokens",
        inputs=qkv(rng, 2, 256, 4, 3),
        note="A power of two, which many block sizes divide.",
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
