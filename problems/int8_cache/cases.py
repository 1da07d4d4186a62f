"""An int8 cache: vectors are made from their codes, so that no quotient is near a half; each token of
each head has a scale of its own. Scaled scores have a spread of about 1.5.
"""

import numpy as np

from grader.case import Case, in_float64

SYMMETRIC = "Symmetric around zero"
NEAREST = "Rounds to the nearest"
ZEROS = "A vector of zeros stays zeros"
FAINT = "Faint and loud vectors"
BYTE = "One byte a number"
FIT = "Both fit together"
TOKENS = "Scales belong to tokens"
LARGE = "Large scores"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"

CACHE = ("q", "keys_q", "key_scale", "values_q", "value_scale")


def codes_of(rng, *shape, most=100):
    """Whole numbers up to `most`; in each vector the size of one is 127."""
    codes = rng.integers(-most, most + 1, shape)
    place = rng.integers(shape[-1], size=shape[:-1])
    sign = rng.choice([-1, 1], shape[:-1])
    np.put_along_axis(codes, place[..., None], 127 * sign[..., None], axis=-1)
    return codes


def spread(codes, scale, rest, dtype=np.float32):
    """Vectors with these codes; all entries but the largest are off by a part of a scale."""
    off = np.where(np.abs(codes) == 127, 0, rest)
    return ((codes + off) * scale[..., None]).astype(dtype)


def scales(rng, *shape, around=0.01):
    """Scales that differ by up to three times, in random order."""
    return around * np.exp(rng.uniform(-0.55, 0.55, shape))


def vectors(rng, B, H, S, D, around=0.01, dtype=np.float32):
    codes = codes_of(rng, B, H, S, D)
    return spread(
        codes, scales(rng, B, H, S, around=around), rng.uniform(-0.4, 0.4, codes.shape), dtype
    )


def cache(rng, B, H, L, S, D, Dv):
    """A cache, and queries."""
    return {
        "q": (1.9 * rng.standard_normal((B, H, L, D))).astype(np.float32),
        "keys_q": codes_of(rng, B, H, S, D).astype(np.int8),
        "key_scale": scales(rng, B, H, S, around=0.012).astype(np.float32),
        "values_q": codes_of(rng, B, H, S, Dv).astype(np.int8),
        "value_scale": scales(rng, B, H, S, around=0.015).astype(np.float32),
    }


def scaled(inputs, **powers):
    """Arrays multiplied by powers of two, which rounds nothing."""
    return inputs | {name: inputs[name] * np.float32(2.0**n) for name, n in powers.items()}


def small_numbers(inputs):
    """A query, a key and a column of the values are 0, another query is faint, and values are small."""
    q, keys_q, key_scale, values_q, _ = inputs.values()
    q[..., 1, :], q[..., 2, :] = 0, q[..., 2, :] / 2**15
    keys_q[..., 1, :], values_q[..., 0] = 0, 0
    key_scale[..., 1] = 0
    return scaled(inputs, value_scale=-12)


def faint_scores(inputs):
    """Weights that are nearly equal; the first query has scores below 1e-4, which go up and down with
    the first column of the values.
    """
    q, keys_q, key_scale, values_q, _ = inputs.values()
    q /= 8
    scores = (keys_q * q[..., :1, :]).sum(axis=-1) * key_scale  # (B, H, S)
    q[..., 0, :] *= 9e-5 / np.abs(scores).max(axis=-1, keepdims=True)
    values_q[..., 0] = np.abs(values_q[..., 0]) * np.sign(scores)
    return inputs


def ladder(rng, B, H, D, Dv, rows, columns):
    """Scaled scores of about 100 * rows[i] * columns[j]; keys are far apart, so one has all the weight."""
    L, S = len(rows), len(columns)
    inputs = cache(rng, B, H, L, S, D, Dv)
    q = 0.02 * rng.standard_normal((B, H, L, D))
    q[..., 0] = 100 * np.array(rows)
    inputs["keys_q"][..., 0] = 127 * np.sign(columns)
    inputs["key_scale"][:] = np.sqrt(D) * np.abs(columns) / 127
    return inputs | {"q": q.astype(np.float32)}


def cancelling(rng, B, H, L, pairs, D, Dv):
    """Keys in pairs: the weight of the second is exp(m / 50) times that of the first, and values near
    1e5 cancel but for about 1. Every score has the same large part, which a softmax ignores. A
    rounding to float32 anywhere is more than 1e-4.
    """
    S = 2 * pairs
    inputs = cache(rng, B, H, L, S, D, Dv)
    q = inputs["q"] * rng.uniform(0.9, 1, (B, H, L, D))
    keys_q, values_q = inputs["keys_q"], inputs["values_q"]
    scale = 0.012 * rng.uniform(0.9, 1.1, (B, H, 1))
    keys_q[:, :, 1::2] = keys_q[:, :, ::2]
    values_q[:, :, 1::2] = -values_q[:, :, ::2]
    m = rng.integers(20, 55, (B, H, pairs))
    keys_q[..., -2], keys_q[..., ::2, -1], keys_q[..., 1::2, -1] = 100, 0, m
    q[..., -2], q[..., -1] = np.sqrt(D) * 3.23 / scale, np.sqrt(D) / (50 * scale)
    value_scale = 1e4 * rng.uniform(1, 2, (B, H, S))
    value_scale[..., 1::2] = (value_scale[..., ::2] - rng.uniform(0.02, 0.05, m.shape)) / np.exp(
        m / 50
    )
    return inputs | {"q": q, "key_scale": np.repeat(scale, S, axis=2), "value_scale": value_scale}


def cancelling_vectors(rng, B, H, L, pairs, D, Dv):
    """Pairs of equal keys, and of values near 1e5 that cancel but for about 1: a scale that is
    rounded to float32 leaves more than 1e-3 of that.
    """
    values = np.repeat(vectors(rng, B, H, pairs, Dv, around=1e3, dtype=float), 2, axis=2)
    values[:, :, 1::2] *= -1 - 1e-5 * rng.uniform(1, 2, (B, H, pairs, 1))
    return {
        "q": 0.015 * rng.standard_normal((B, H, L, D)),
        "keys": np.repeat(vectors(rng, B, H, pairs, D, around=1, dtype=float), 2, axis=2),
        "values": values,
    }


def quantize(name, x, **rest):
    return Case(name, inputs={"x": x}, call="quantize", **rest)


def attend(name, inputs, **rest):
    return Case(name, inputs=inputs, call="attend_quantized", **rest)


def both(name, rng, B, H, L, S, D, Dv, faint=0, **rest):
    """With `faint`, the keys are divided by this power of two and the queries multiplied by it."""
    inputs = {
        "q": (1.5 * rng.standard_normal((B, H, L, D))).astype(np.float32),
        "keys": vectors(rng, B, H, S, D),
        "values": vectors(rng, B, H, S, Dv),
    }
    return Case(name, inputs=scaled(inputs, q=faint, keys=-faint), **rest)


def cases(rng):
    yield quantize(
        "two tokens",
        np.array([[[[0.5, -1.27, 0.3, 0.108], [12.7, 3.14, -0.26, -6.02]]]], dtype=np.float32),
        sample=True,
        same="one text and one head: B = H = 1",
        note="The scales are a hundredth and a tenth; two entries are not whole numbers of them.",
    )
    few = cache(rng, B=1, H=1, L=1, S=3, D=4, Dv=2)
    yield attend(
        "a query and three keys",
        few
        | {
            name: np.round(few[name], 3 if "scale" in name else 1) + np.float32(0)
            for name in ("q", "key_scale", "value_scale")
        },
        sample=True,
        same="one text, one head and one query: B = H = L = 1",
        note="Codes and scales in, an ordinary output out.",
    )
    yield quantize(
        "four heads",
        vectors(rng, B=2, H=4, S=3, D=7, around=1e6),
        note="All sizes differ, and each token of each head has a scale of its own.",
    )
    yield quantize(
        "many tokens",
        vectors(rng, B=2, H=3, S=101, D=13)
        * rng.choice([1, 2.0**-10], (2, 3, 101, 1)).astype("f4"),
        note="A longer text; half of its vectors are a thousand times as faint as the others.",
    )
    yield attend(
        "three heads",
        scaled(cache(rng, B=2, H=3, L=4, S=6, D=8, Dv=5), q=26, key_scale=-26, value_scale=24),
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield attend(
        "a query of zeros",
        small_numbers(cache(rng, B=3, H=2, L=4, S=7, D=5, Dv=6)),
        note="A query, a key and a column of the values are 0, and another query is faint.",
    )
    yield attend(
        "a longer text",
        faint_scores(cache(rng, B=2, H=3, L=67, S=101, D=5, Dv=7)),
        note="67 queries and 101 keys, and all weights are nearly the same.",
    )
    positive = np.abs(codes_of(rng, 2, 3, 5, 7))
    yield quantize(
        "positive entries",
        spread(positive, scales(rng, 2, 3, 5, around=0.1), rng.uniform(-0.4, 0.4, positive.shape)),
        rule=SYMMETRIC,
        note="Nothing is below 0, and nothing may be moved there.",
    )
    negative = codes_of(rng, 3, 2, 4, 6, most=60)
    negative = np.where(np.abs(negative) == 127, -127, negative)
    yield quantize(
        "the largest entry is negative",
        spread(negative, scales(rng, 3, 2, 4, around=0.1), rng.uniform(-0.4, 0.4, negative.shape)),
        rule=SYMMETRIC,
        note="In each vector the largest entry in size is negative; the largest positive one is half of it.",
    )
    rounded = codes_of(rng, 2, 3, 4, 11)
    up = rng.choice([-1, 1], rounded.shape) * rng.uniform(0.35, 0.45, rounded.shape)
    yield quantize(
        "nearly halves",
        spread(rounded, scales(rng, 2, 3, 4), up),
        rule=NEAREST,
        note="Every quotient lies close to a half, on either side.",
    )
    dull = vectors(rng, B=2, H=3, S=5, D=4)
    dull[0, 1, 2], dull[1, 0, 0], dull[1, 2, 4], dull[0, 0, 3, 1:] = 0, 0, 0, 0
    dull[0, 0, 3, 0] = rng.uniform(0.5, 1.5)
    yield quantize(
        "vectors of zeros",
        dull,
        rule=ZEROS,
        note="Three vectors are 0 everywhere, and one has a single entry.",
    )
    silent = vectors(rng, B=3, H=2, S=4, D=5)
    silent[1] = 0
    yield quantize(
        "a text of zeros",
        silent,
        rule=ZEROS,
        note="One of three texts is 0 everywhere.",
    )
    loud = codes_of(rng, 2, 3, 8, 5)
    power = rng.permuted(np.tile(np.array([-19.8, -12, -8, -6, -3, 2, 9, 19.6]), (2, 3, 1)), axis=2)
    yield quantize(
        "from faint to loud",
        spread(loud, scales(rng, 2, 3, 8) * 10.0**power, rng.uniform(-0.4, 0.4, loud.shape)),
        wants=("codes",),
        rule=FAINT,
        note="Tokens side by side differ by up to 40 powers of ten, and their codes do not.",
    )
    yield quantize(
        "faint vectors",
        vectors(rng, B=3, H=2, S=5, D=6, around=1e-9),
        wants=("codes",),
        rule=FAINT,
        note="All entries are below a millionth.",
    )
    yield both(
        "bytes of a cache",
        rng,
        *(2, 3, 4, int(rng.integers(20, 30)), 8, 6),
        wants=("cache_bytes",),
        rule=BYTE,
        note="Keys and values go into a cache, and its codes are weighed.",
    )
    yield both(
        "through both functions",
        rng,
        *(2, 4, 3, 7, 6, 5),
        wants=("output",),
        rule=FIT,
        note="Keys and values are quantised, and then attended to.",
    )
    yield both(
        "through both functions, 1009 tokens",
        rng,
        *(1, 2, 3, 1009, 8, 5),
        wants=("output",),
        rule=FIT,
        note="A longer cache.",
    )
    uneven = cache(rng, B=2, H=3, L=5, S=6, D=4, Dv=7)
    uneven["key_scale"] *= np.float32(0.2)
    uneven["key_scale"][..., ::3] *= np.float32(8)
    uneven["value_scale"][..., 1::3] *= np.float32(64)
    yield attend(
        "uneven scales",
        scaled(uneven, q=-24, key_scale=24),
        rule=TOKENS,
        note="Keys differ in length by a multiple, values by another. The keys are loud and the queries faint.",
    )
    yield attend(
        "huge scores",
        ladder(rng, 2, 3, 5, 6, (1, -1, 0.4, -0.7), (80, -99, 40, 98, -60, 20, 3)),
        rule=LARGE,
        note="Scores up to 10 000 in float32, and rows on very different scales.",
    )
    yield attend(
        "both ends of the range",
        ladder(rng, 3, 2, 6, 4, (1, -1, 0.9, -0.9, 0.95), (99.9, 97, 93, 95, 98, 96, 94)),
        rule=LARGE,
        note="All scores of a row lie close to 10 000, or close to -10 000.",
    )
    yield attend(
        "every score far below zero",
        ladder(rng, 2, 3, 5, 6, (1, 0.9, 0.95, 0.85), (-16, -20, -18, -24, -22, -28, -26, -32)),
        rule=LARGE,
        note="The largest score of each row is below -1000.",
    )
    yield attend(
        "every score near -40",
        ladder(
            rng,
            3,
            2,
            6,
            4,
            (1, 0.98, 1.02, 0.97, 1.01),
            (-0.4, -0.41, -0.39, -0.42, -0.38, -0.37, -0.395, -0.405),
        ),
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield attend(
        "square",
        cache(rng, B=4, H=4, L=4, S=4, D=4, Dv=4),
        rule=EQUAL,
        same="all sizes are 4, so a scale along a wrong axis has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield quantize(
        "square vectors",
        vectors(rng, B=5, H=5, S=5, D=5),
        rule=EQUAL,
        same="all sizes are 5, so a maximum over a wrong axis has a right shape",
        note="As many tokens as entries, heads and texts.",
    )
    yield quantize(
        "vectors of one number",
        vectors(rng, B=2, H=3, S=4, D=1),
        rule=ONE,
        note="D = 1: the only entry is the largest.",
    )
    yield quantize(
        "one token",
        vectors(rng, B=1, H=3, S=1, D=5),
        rule=ONE,
        same="one text of one token: B = S = 1",
        note="B = S = 1, as when a token is added to a cache.",
    )
    yield attend(
        "one key",
        cache(rng, B=2, H=3, L=4, S=1, D=6, Dv=5),
        rule=ONE,
        note="The only key there is gets all the attention.",
    )
    yield attend(
        "one text, one head, one query",
        cache(rng, B=1, H=1, L=1, S=5, D=4, Dv=3),
        rule=ONE,
        same="a single query: B = H = L = 1",
        note="One step of writing with one head.",
    )
    yield attend(
        "keys and values of one number",
        cache(rng, B=2, H=3, L=4, S=5, D=1, Dv=1),
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1.",
    )
    fine = codes_of(rng, 2, 3, 4, 7)
    near = rng.choice([-1, 1], fine.shape) * (0.5 - rng.uniform(2e-8, 8e-8, fine.shape))
    yield quantize(
        "very nearly halves, in float64",
        spread(fine, scales(rng, 2, 3, 4), near, np.float64),
        rule=PRECISION,
        note="Double precision: what float32 takes for a half is none.",
    )
    yield attend(
        "cancelling values in float64",
        cancelling(rng, B=2, H=3, L=5, pairs=4, D=6, Dv=7),
        rule=PRECISION,
        note="Double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield Case(
        "through both functions in float64",
        inputs=cancelling_vectors(rng, B=2, H=3, L=4, pairs=5, D=7, Dv=6),
        wants=("output",),
        rule=PRECISION,
        note="Double precision: values cancel but for a little that their scales have kept.",
    )
    yield in_float64(
        quantize(
            "the vectors afterwards",
            vectors(rng, B=2, H=3, S=6, D=4),
            wants=("after.x",),
            rule=ALONE,
            note="The caller goes on using its vectors. Only they are looked at here.",
        )
    )
    yield in_float64(
        attend(
            "the cache afterwards",
            cache(rng, B=2, H=3, L=4, S=7, D=6, Dv=5),
            wants=tuple(f"after.{name}" for name in CACHE),
            rule=ALONE,
            note="The cache is used again at the next step. Only the inputs are looked at here.",
        )
    )
    yield quantize(
        "read-only vectors",
        vectors(rng, B=2, H=4, S=3, D=6),
        layout={"x": "readonly"},
        rule=ALONE,
        note="In NumPy the vectors refuse to be written to.",
    )
    yield attend(
        "a read-only cache",
        cache(rng, B=3, H=2, L=5, S=4, D=6, Dv=7),
        layout=dict.fromkeys(CACHE, "readonly"),
        rule=ALONE,
        note="In NumPy the cache refuses to be written to.",
    )
    yield quantize(
        "a view of vectors",
        vectors(rng, B=2, H=3, S=7, D=5),
        layout={"x": "strided"},
        rule=VIEWS,
        note="The vectors have gaps between their entries.",
    )
    yield attend(
        "views of a cache",
        cache(rng, B=3, H=4, L=2, S=6, D=5, Dv=7),
        layout=dict.fromkeys(CACHE, "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
    )
    yield both(
        "views without gaps",
        rng,
        *(3, 2, 5, 7, 6, 8),
        wants=("output",),
        layout=dict.fromkeys(("q", "keys", "values"), "transposed"),
        rule=VIEWS,
        note="The entries of queries, keys and values lie side by side, but the first axis changes fastest.",
    )
    yield quantize(
        "a second text",
        vectors(rng, B=2, H=5, S=4, D=3),
        before={"x": vectors(rng, B=2, H=5, S=4, D=3, around=0.1)},
        rule=NO_MEMORY,
        note="The second call has the shape of the first, and other numbers.",
    )
    yield attend(
        "a second query",
        cache(rng, B=2, H=3, L=5, S=8, D=7, Dv=4),
        before=cache(rng, B=2, H=3, L=5, S=8, D=7, Dv=4),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and another cache.",
    )
    learning = cache(rng, B=2, H=3, L=4, S=6, D=5, Dv=7)
    key, value = rng.permutation(6)[:2]
    for name, token in (("key", key), ("value", value)):
        learning[f"{name}s_q"][:, :, token], learning[f"{name}_scale"][:, :, token] = 0, 0
    yield attend(
        "gradients",
        learning,
        wants=("grad.q", "grad.key_scale", "grad.value_scale"),
        rule=GRADIENTS,
        note="In PyTorch the queries learn, and so do the scales. One key and one value are zeros, of scale 0.",
    )
    yield both(
        "faint keys through both functions",
        rng,
        *(3, 2, 4, 6, 5, 7),
        faint=23,
        wants=("output",),
        rule=FAINT,
        note="All entries of the keys are below a millionth, and the queries are as loud as the keys are faint.",
    )


def domain(rng):
    """Any small sizes, for both functions; zeros, faint and loud vectors, scores up to thousands."""
    for number in range(40):
        B, H, S, D = map(int, rng.choice([1, 1, 2, 3, 5], 4))
        x = vectors(rng, B, H, S, D, dtype=np.float64)
        x = x * 10.0 ** rng.choice([0, 0, -15, -7, -3, 4, 15], (B, H, S, 1))
        x = x * (rng.random((B, H, S, 1)) < rng.choice([0.7, 1]))
        yield quantize(str(number), x.astype(rng.choice([np.float32, np.float64])))
    for number in range(40, 90):
        sizes = map(int, rng.choice([1, 1, 2, 3, 4], 6))
        inputs = cache(rng, *sizes)
        inputs["q"] = inputs["q"] * rng.choice([0, 0.01, 1, 1, 300])
        for name, codes in (("key_scale", "keys_q"), ("value_scale", "values_q")):
            kept = rng.random(inputs[name].shape) < rng.choice([0.7, 1])
            inputs[name], inputs[codes] = inputs[name] * kept, inputs[codes] * kept[..., None]
        dtype = rng.choice([np.float32, np.float64])
        floats = {name: inputs[name].astype(dtype) for name in ("q", "key_scale", "value_scale")}
        yield attend(str(number), inputs | floats)
