import numpy as np

from grader.case import Case


def qkv(rng, b, n, d, dv):
    """Queries, keys, and values that depend on the keys, so that each query gets an output of its
    own.

    The first feature is never small, nor is the first token, so no denominator is: an epsilon of
    1e-6 must not show.
    """
    q, k = rng.normal(size=(2, b, n, d))
    q[:, 0], k[:, 0] = np.abs(q[:, 0]), np.abs(k[:, 0])
    q[..., 0], k[..., 0] = np.abs(q[..., 0]), np.abs(k[..., 0])
    v = 0.5 + k @ rng.normal(size=(d, dv)) + rng.normal(size=(b, n, dv))
    return {"q": q.astype(np.float32), "k": k.astype(np.float32), "v": v.astype(np.float32)}


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
        "one token", inputs=qkv(rng, 2, 1, 5, 3), note="A token alone has only itself to look at."
    )
    below = {name: rng.uniform(-0.7, -0.1, size=(2, 7, 4)).astype(np.float32) for name in "qk"}
    yield Case(
        "all entries negative",
        inputs=below | {"v": rng.normal(size=(2, 7, 5)).astype(np.float32) + 2},
        note="Every feature is below 1, so the first denominators are small.",
    )
    yield Case(
        "inputs afterwards",
        inputs=qkv(rng, 2, 6, 3, 4),
        wants=("output", "after.q", "after.k", "after.v"),
        note="The caller still needs its arrays.",
    )
    late = qkv(rng, 2, 8, 4, 5)
    late["k"][:, -1], late["v"][:, -1] = 1e4, 5
    yield Case(
        "a shout at the end",
        inputs=late,
        note="The last token is enormous. Nobody before it may hear it.",
    )
    large = qkv(rng, 2, 8, 5, 3)
    large["q"][:, ::2, 0] = 1e4
    large["q"][:, 1::2, 1] = -1e4
    large["k"][:, ::3, 0] = -1e4
    large["k"][:, 1::3, 1] = 1e4
    large["q"][..., 2] = large["k"][..., 2] = 1.5
    yield Case(
        "entries of ten thousand",
        inputs=large,
        note="Large entries of both signs must not become inf or NaN.",
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
        same="n = D = Dv, so that a sum along a wrong axis has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "1009 tokens",
        inputs=qkv(rng, 2, 1009, 5, 3),
        note="A prime number of tokens, which no block size divides.",
    )
    yield Case(
        "65537 tokens",
        inputs=long(rng),
        memory_mib=512,
        cpu_factor=5,
        note="A long document, little memory and little time.",
    )
