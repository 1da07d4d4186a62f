"""Attention to the last tokens only, kept in a ring."""

import numpy as np

from grader.case import Case, in_float64

NEWEST = "Only the newest are seen"
MANY = "Any number may come at once"
DISTANCE = "Distance counts"
POSITIONS = "Positions continue"
ASKING = "Asking changes nothing"
SHARE = "Caches share nothing"
COPY = "Keeps its own copy"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
MEMORY = "Memory does not grow"


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def qkv(rng, B, H, n, D, Dv):
    """Scores with a spread of about 2."""
    return {
        "q": np.float32(1.5) * normal(rng, B, H, n, D),
        "k": np.float32(1.4) * normal(rng, B, H, n, D),
        "v": normal(rng, B, H, n, Dv),
    }


def rounded(arrays):
    return {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}


def case(rng, name, sizes, size, slope=None, wants=("output",), **rest):
    """`sizes` are B, H, n, D, Dv; what is no field of a case is an option of the driver."""
    names = ("prompt", "chunk", "asks", "beside", "reuse", "times")
    options = {key: rest.pop(key) for key in names if key in rest}
    inputs = rest.pop("inputs", None) or qkv(rng, *sizes)
    init = {"size": size} if slope is None else {"size": size, "slope": slope}
    return Case(name, inputs=inputs, options=options, init=init, wants=wants, **rest)


def cases(rng):
    yield case(
        rng,
        "four words, two slots",
        None,
        2,
        inputs=rounded(qkv(rng, 1, 2, 4, 3, 5)),
        sample=True,
        labels=("The", "cat", "sat", "down"),
        rule=NEWEST,
        note="The third word takes the slot of the first, and the fourth that of the second.",
    )
    yield case(
        rng,
        "near ones preferred",
        None,
        3,
        slope=0.5,
        inputs=rounded(qkv(rng, 1, 2, 4, 3, 5)),
        sample=True,
        labels=("The", "cat", "sat", "down"),
        rule=DISTANCE,
        note="Each step of distance takes one half off the score.",
    )
    faint = qkv(rng, 2, 3, 5, 7, 4)
    faint["v"] *= np.float32(2**-11)
    yield case(
        rng,
        "the ring is not full yet",
        None,
        int(rng.integers(8, 12)),
        inputs=faint,
        note="All tokens are seen: there are more slots than tokens. Their values are small.",
    )
    yield case(
        rng,
        "just full",
        (5, 2, 6, 4, 3),
        6,
        note="As many slots as tokens: the last one fills the last slot.",
    )
    blank = qkv(rng, 2, 3, 9, 4, 5)
    blank["k"][:, :, 4], blank["v"][:, :, 6] = 0, 0
    yield case(
        rng,
        "once around",
        None,
        6,
        inputs=blank,
        rule=NEWEST,
        note="More tokens than slots: the oldest are written over. One key and one value are all zeros, and belong to tokens like any other.",
    )
    yield case(
        rng,
        "many times around",
        (2, 4, 23, 5, 3),
        int(rng.integers(3, 6)),
        rule=NEWEST,
        note="The ring is full several times.",
    )
    yield case(
        rng,
        "509 tokens",
        (2, 3, 509, 5, 4),
        61,
        slow=True,
        rule=NEWEST,
        note="A prime number of tokens and a ring of prime size.",
    )
    yield case(
        rng,
        "a prompt",
        (2, 3, 8, 6, 4),
        7,
        prompt=4,
        rule=MANY,
        note="Four tokens at once, then one by one.",
    )
    yield case(
        rng,
        "a prompt longer than the ring",
        (3, 2, 12, 4, 5),
        4,
        prompt=7,
        rule=MANY,
        note="Seven tokens at once for four slots, then one by one.",
    )
    yield case(
        rng,
        "chunks that run over the end",
        (2, 4, 17, 6, 3),
        5,
        prompt=2,
        chunk=3,
        rule=MANY,
        note="Three tokens at a time in a ring of five: some chunks begin at its end and go on at its beginning.",
    )
    yield case(
        rng,
        "chunks longer than the ring",
        (2, 3, 20, 4, 6),
        3,
        prompt=1,
        chunk=7,
        rule=MANY,
        note="Each chunk fills the ring more than twice.",
    )
    yield case(
        rng,
        "near ones preferred, not full yet",
        (2, 3, 281, 5, 4),
        int(rng.integers(283, 299)),
        slope=float(rng.uniform(0.012, 0.018)),
        chunk=int(rng.integers(9, 13)),
        rule=DISTANCE,
        note="The distances of a ring that has not been full yet, of nearly three hundred slots. Several tokens come at a time.",
    )
    yield case(
        rng,
        "near ones preferred, many times around",
        (2, 4, 113, 6, 3),
        37,
        slope=float(rng.uniform(0.06, 0.08)),
        rule=DISTANCE,
        note="The newest token lies anywhere in the ring, and the oldest beside it.",
    )
    yield case(
        rng,
        "a steep slope against high scores",
        None,
        4,
        slope=128.0,
        inputs=uphill(rng),
        rule=DISTANCE,
        note="Each step of distance costs 128, and the older key scores 128 more: all are seen.",
    )
    yield case(
        rng,
        "two at a time, near ones preferred",
        (3, 2, 11, 5, 4),
        int(rng.integers(13, 18)),
        slope=0.4,
        chunk=2,
        rule=MANY,
        note="Two tokens at a time grow two steps older.",
    )
    yield case(
        rng,
        "positions",
        (2, 3, 26, 4, 5),
        4,
        wants=("positions",),
        prompt=int(rng.integers(17, 21)),
        chunk=2,
        rule=POSITIONS,
        note="The place of the next token, before each append; the first brings many more than there are slots.",
    )
    yield case(
        rng,
        "asked twice",
        (3, 2, 9, 4, 5),
        4,
        slope=0.4,
        asks=2,
        rule=ASKING,
        note="Another query asks before each token does; what the token is told is looked at.",
    )
    yield case(
        rng,
        "two caches by turns",
        (2, 3, 8, 4, 6),
        5,
        beside=True,
        rule=SHARE,
        note="A second cache of the same kind gets other tokens in between.",
    )
    yield case(
        rng,
        "arrays that are used again",
        (2, 3, 10, 5, 4),
        4,
        prompt=4,
        chunk=4,
        reuse=True,
        rule=COPY,
        note="What was appended is overwritten with zeros before the newest token asks. Four tokens fill the ring at once, then four more, then two.",
    )
    yield case(
        rng,
        "scores of hundreds",
        None,
        5,
        inputs=high(rng),
        rule=LARGE,
        note="Scores that exp cannot take in float32, high in one example and low in the other.",
    )
    yield case(
        rng,
        "scores of ten thousand",
        None,
        4,
        inputs=ends(rng),
        rule=LARGE,
        note="The scores lie close to 10 000 or to -10 000.",
    )
    far = qkv(rng, 2, 3, 12, 4, 5)
    far["q"][..., 0], far["k"][..., 0] = 80, -40
    yield case(
        rng,
        "every score far below zero",
        None,
        4,
        inputs=far,
        rule=LARGE,
        note="The largest score of each row is below -1000.",
    )
    faint = qkv(rng, 2, 3, 11, 4, 6)
    faint["q"][..., 0], faint["k"][..., 0] = 8, -10
    yield case(
        rng,
        "every score near -40",
        None,
        4,
        inputs=faint,
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield case(
        rng,
        "one slot",
        (2, 3, 5, 4, 6),
        1,
        rule=ONE,
        note="Only the newest token itself is seen: its weight is 1.",
    )
    yield case(
        rng, "one token", (3, 2, 1, 5, 4), 6, rule=ONE, note="A single token, and a ring for more."
    )
    yield case(
        rng,
        "one number, one head, one example",
        (1, 1, 7, 1, 1),
        3,
        same="the narrowest tokens there are: B = H = D = Dv = 1",
        rule=ONE,
        note="A single example and head, keys and values one number wide.",
    )
    yield case(
        rng,
        "cancelling values in float64",
        None,
        6,
        inputs=cancelling(rng),
        rule=PRECISION,
        note="Large parts of the numbers cancel, and what is left shows each rounding.",
    )
    yield case(
        rng,
        "near ones preferred in float64",
        None,
        int(rng.integers(8, 12)),
        slope=1.3,
        inputs=cancelling(rng, slope=1.3),
        rule=PRECISION,
        note="Large parts cancel if each step takes off exactly 1.3. The ring is not full.",
    )
    yield in_float64(
        case(
            rng,
            "inputs stay as they were",
            (2, 3, 6, 4, 5),
            4,
            wants=("after.q", "after.k", "after.v"),
            rule=INPUTS,
            note="The arrays of the caller are looked at again afterwards.",
        )
    )
    yield case(
        rng,
        "views with gaps",
        (2, 3, 7, 5, 4),
        4,
        layout={"q": "strided", "k": "strided", "v": "strided"},
        rule=VIEWS,
        note="The arrays are views with gaps between their elements.",
    )
    yield case(
        rng,
        "views without gaps",
        (2, 3, 6, 5, 4),
        int(rng.integers(7, 10)),
        prompt=6,
        layout={"q": "transposed", "k": "transposed", "v": "transposed"},
        rule=VIEWS,
        note="The elements lie side by side, but the first axis changes fastest. All tokens come at once.",
    )
    yield case(
        rng,
        "read-only arrays",
        (2, 3, 8, 4, 5),
        6,
        layout={"q": "readonly", "k": "readonly", "v": "readonly"},
        rule=VIEWS,
        note="In NumPy the arrays refuse to be written to.",
    )
    yield case(
        rng,
        "793 tokens",
        (1, 2, 61, 12289, 3),
        5,
        times=13,
        memory_mib=64,
        cpu_factor=10,
        rule=MEMORY,
        note="A long text with wide keys: all of them together are 78 MB, the ring holds five.",
    )
    yield case(
        rng,
        "a prompt longer than the ring, near ones preferred",
        (2, 4, 10, 6, 5),
        3,
        slope=0.5,
        prompt=5,
        chunk=2,
        rule=MANY,
        note="Five tokens at once for three slots, then two at a time: each has its own distance.",
    )


def high(rng, B=2, H=3, n=8, D=4, Dv=5):
    """Queries and keys share a large common part, which shifts all scores of an example and says
    nothing about which key to prefer.
    """
    inputs = qkv(rng, B, H, n, D, Dv)
    common = np.array([25.0, 0.5], dtype=np.float32)[:, None, None]
    inputs["q"][..., 0], inputs["k"][..., 0] = common, common
    return inputs


def ends(rng, B=2, H=3, n=7, D=4, Dv=16):
    """The first column alone asks and answers, one token with the opposite sign; powers of two, and
    D = 4, round nothing.
    """
    inputs = qkv(rng, B, H, n, D, Dv)
    q, k, _ = inputs.values()
    q[...], k[...] = 0, 0
    q[..., 0] = 128 * rng.choice([-1, 1], (B, H, n))
    q[0, :, :2, 0] = -128  # low scores also while the ring is not full
    k[..., 0] = 156.25 - rng.permuted(np.tile(np.arange(n) / 64, (B, H, 1)), axis=-1)
    k[:, :, 2] *= -1
    return inputs


def uphill(rng, B=2, H=3, n=9, D=4, Dv=5):
    """Scores that grow by 128 with each step of distance; less a slope of 128, they are ordinary.
    Sixteenths and powers of two round nothing.
    """
    inputs = qkv(rng, B, H, n, D, Dv)
    q, k, _ = inputs.values()
    q[...], k[...] = np.round(4 * q) / 4, np.round(4 * k) / 4
    q[..., 0], k[..., 0] = 2, -128 * np.arange(n)
    q[..., 1], k[..., 1] = 128 * np.arange(n), 2
    return inputs


def cancelling(rng, slope=0.0, B=2, H=3, pairs=3, D=6, Dv=4):
    """Tokens in pairs after one that a ring of six drops at last: the weight of the second is
    `ratio` times that of the first, and values near 1e5 cancel. About 1 is left, of which a
    rounding to float32 anywhere is more than 1e-4. The first of a pair, which does not see the
    second, looks at no pair. Every score has the same large part, which a softmax ignores.
    """
    n = 2 * pairs + 1
    q, k = 1.5 * rng.standard_normal((2, B, H, n, D))
    q[..., 0], k[..., 0] = 0, 0
    q[:, :, 1::2, 0], k[:, :, 1:, 0] = -60 * np.sqrt(D), 1
    v = rng.standard_normal((B, H, n, Dv))
    k[:, :, 2::2] = k[:, :, 1::2]
    ratio = rng.uniform(1.5, 3, (B, H, pairs, 1))
    q[..., -2:] = np.sqrt(D) * np.array([17.3, 1])
    k[..., -2:] = [18.7, 0]
    k[:, :, 2::2, -1:] = np.log(ratio) - slope
    large = 1e5 * rng.standard_normal((B, H, pairs, Dv))
    v[:, :, 1::2] += large
    v[:, :, 2::2] -= large / ratio
    return {"q": q, "k": k, "v": v}


def domain(rng):
    """Any sizes, rings and chunks, scores on the scale of 1 to 10 000, both dtypes."""
    for number in range(60):
        B, H, D, Dv = map(int, rng.choice([1, 1, 2, 3], 4))
        n = int(rng.integers(1, 14))
        dtype, spread = rng.choice([np.float32, np.float64]), rng.choice([1, 1, 10, 60])
        inputs = {name: x.astype(dtype) for name, x in qkv(rng, B, H, n, D, Dv).items()}
        inputs["k"] *= dtype(spread)
        largest = np.abs(np.einsum("bhid,bhjd->bhij", inputs["q"], inputs["k"])).max()
        inputs["q"] *= dtype(min(1.01 * spread, 9_900 * np.sqrt(D) / largest))
        yield Case(
            str(number),
            inputs=inputs,
            options={
                "prompt": int(rng.integers(1, n + 1)),
                "chunk": int(rng.integers(1, 5)),
                "asks": int(rng.integers(1, 3)),
                "beside": bool(rng.random() < 0.3),
                "reuse": bool(rng.random() < 0.3),
            },
            init={"size": int(rng.integers(1, 8)), "slope": float(rng.choice([0, 0.3, 2]))},
        )
