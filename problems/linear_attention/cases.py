import numpy as np

from grader.case import Case


def qkv(rng, b, n, d, dv):
    """Queries, keys, and values that depend on the keys, so that each query gets an output of its
    own.

    The first feature is never small, so no denominator is: an epsilon of 1e-6 must not show.
    """
    q, k = rng.normal(size=(2, b, n, d))
    q[..., 0], k[..., 0] = np.abs(q[..., 0]), np.abs(k[..., 0])
    v = 0.5 + k @ rng.normal(size=(d, dv)) + rng.normal(size=(b, n, dv))
    return {"q": q.astype(np.float32), "k": k.astype(np.float32), "v": v.astype(np.float32)}


def rounded(inputs):
    return {name: x.round(1) + np.float32(0) for name, x in inputs.items()}


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
        inputs=qkv(rng, 3, 8, 5, 7),
        note="Three sequences that have nothing to do with each other.",
    )
    yield Case(
        "a batch, other values",
        inputs=qkv(rng, 3, 8, 5, 7),
        note="The shapes of the case before, with different numbers in them.",
    )
    wide = {
        "q": rng.uniform(8e3, 1e4, size=(2, 9, 6)),
        "k": rng.uniform(8e3, 1e4, size=(2, 9, 6)),
        "v": rng.normal(size=(2, 9, 4)),
    }
    # denominators so large that an epsilon of 1e-6 stays below the last place of a float64
    wide["k"][:, ::2, 0] *= -1
    yield Case("double precision", inputs=wide, note="float64 goes in, so float64 comes out.")
    yield Case(
        "one token",
        inputs={name: np.abs(x) for name, x in qkv(rng, 2, 1, 5, 3).items()},
        note="With a single key there is only one value to take.",
    )
    below = {name: rng.uniform(-1.5, -0.5, size=(2, 7, 4)).astype(np.float32) for name in "qk"}
    yield Case(
        "all entries negative",
        inputs=below | {"v": rng.normal(size=(2, 7, 5)).astype(np.float32) + 2},
        note="Every feature is below 1, so the denominator is small.",
    )
    yield Case(
        "inputs afterwards",
        inputs=qkv(rng, 2, 6, 3, 4),
        wants=("output", "after.q", "after.k", "after.v"),
        note="The caller still needs its arrays.",
    )
    large = qkv(rng, 2, 8, 5, 3)
    large["q"][:, ::2, 0] = 1e4
    large["q"][:, 1::2, 1] = -1e4
    large["k"][:, ::3, 0] = -1e4
    large["k"][:, 1::3, 1] = 1e4
    large["q"][..., 2] = large["k"][..., 2] = 0.25
    yield Case(
        "entries of ten thousand",
        inputs=large,
        wants=("output", "grad.q", "grad.k", "grad.v"),
        note="Large entries of both signs must not become inf or NaN, nor must their gradients.",
    )
    yield Case(
        "strided inputs",
        inputs=qkv(rng, 2, 6, 3, 4),
        layout={"q": "strided", "k": "strided", "v": "strided"},
        note="Views with gaps between the entries, as slicing makes them.",
    )
    yield Case(
        "read-only inputs",
        inputs=qkv(rng, 2, 5, 3, 4),
        layout={"q": "readonly", "k": "readonly", "v": "readonly"},
        note="Arrays that refuse to be written to.",
    )
    yield Case(
        "square",
        inputs=qkv(rng, 2, 4, 4, 4),
        same="n = D = Dv, so that a product along a wrong axis has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "gradients",
        inputs=qkv(rng, 3, 7, 4, 5),
        wants=("output", "grad.q", "grad.k", "grad.v"),
        note="The numerator and the denominator both depend on the keys.",
    )
    yield Case(
        "1009 tokens",
        inputs=qkv(rng, 2, 1009, 4, 6),
        note="A prime number of tokens, which no block size divides.",
    )
    yield Case(
        "65537 tokens",
        inputs=qkv(rng, 2, 65537, 4, 6),
        memory_mib=512,
        cpu_factor=10,  # without it, code that compares every pair block by block passes in seconds
        note="A long document, little memory and little time.",
    )
