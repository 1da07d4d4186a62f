"""Multi-head latent attention: keys, values and latents have different widths, and so have heads
and examples, unless a case is about the opposite. Scaled scores have a spread of about 1.5.
"""

import numpy as np

from grader.case import Case, in_float64

PAST = "The past comes first"
FUTURE = "The future changes nothing"
HEADS = "Any number of heads that fits"
REFUSES = "Other numbers of heads are refused"
LARGE = "Large scores"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
COST = "Costs little for a long past"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"

MATRICES = ("w_dkv", "w_uk", "w_uv", "w_q", "w_o")


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def arrays(rng, B, n, E, C, H, D, Dv, P=0, digits=None):
    """Tokens, matrices that keep the size of what goes in, and latents of P earlier tokens."""
    found = {
        "x": normal(rng, B, n, E),
        "w_dkv": normal(rng, E, C) / np.sqrt(E),
        "w_uk": normal(rng, C, H * D) * 1.2 / np.sqrt(C),
        "w_uv": normal(rng, C, H * Dv) * 1.2 / np.sqrt(C),
        "w_q": normal(rng, E, H * D) * 1.5 / np.sqrt(E),
        "w_o": normal(rng, H * Dv, E) / np.sqrt(H * Dv),
    }
    if P:
        found["past"] = normal(rng, B, P, C)
    if digits is not None:
        found = {name: np.round(x, digits) + 0.0 for name, x in found.items()}
    return {name: x.astype(np.float32) for name, x in found.items()}


def scaled(inputs, **powers):
    """Arrays multiplied by powers of two, which rounds nothing."""
    for name, power in powers.items():
        inputs[name] *= np.float32(2.0**power)
    return inputs


def balanced(a, b):
    """Makes one column of `a` small and the next one large, and rows of `b` the other way round:
    a @ b stays as it is.
    """
    a[..., 0] /= 2**14
    b[0] *= 2**14
    a[..., 1] *= 2**14
    b[1] /= 2**14


def small_numbers(inputs):
    """Small numbers beside large ones, and a small output; a token, a latent, and a column of each
    matrix are 0, and one token is faint.
    """
    x, w_dkv, w_uk, w_uv, w_q, w_o, past = inputs.values()
    x[:, 1], x[:, 2], past[:, 1] = 0, x[:, 2] / 2**12, 0
    past[..., 3], w_dkv[:, 3], w_q[2, 2], w_uk[2, 3], w_uv[:, 2], w_o[:, 2] = 0, 0, 0, 0, 0, 0
    balanced(x, w_q)
    w_dkv[0] *= 2**14
    w_dkv[1] /= 2**14
    balanced(w_uv, w_o)
    return scaled(inputs, w_uv=-6, w_o=-8)


def faint_scores(inputs, num_heads):
    """Weights that are nearly equal. Keys and values read the first number of a latent, so they go up
    and down together; the first new token is so faint that all its scores are below 1e-4.
    """
    x, w_dkv, w_uk, w_uv, w_q, _, past = inputs.values()
    w_uk[1:], w_q[:] = 0, w_q / 8
    w_uv[0] *= 4
    first = (x[:, :1] @ w_q).reshape(len(x), num_heads, -1)  # (B, H, D)
    keys = w_uk[0].reshape(num_heads, -1)  # (H, D)
    latents = np.concatenate([past, x @ w_dkv], axis=1)[..., 0]  # (B, S)
    most = np.abs((first * keys).sum(axis=-1)).max(axis=1) * np.abs(latents).max(axis=1)  # (B,)
    x[:, 0] *= (9e-5 / most)[:, None]
    return inputs


def unheard(rng, B, n, E, C, H, D, Dv, P=0):
    """The last token is enormous: it asks nothing and has an ordinary value, but a key of a thousand."""
    inputs = arrays(rng, B, n, E, C, H, D, Dv, P)
    x, w_dkv, _, w_uv, w_q, _ = list(inputs.values())[:6]
    x[:, -1] = 0
    x[:, -1, 0] = 3000 * rng.uniform(0.8, 1, B)
    w_q[0], w_uv[0], w_dkv[0] = 0, 0, 0
    w_dkv[0, 0] = rng.choice([-1, 1])
    return inputs


def far_apart(rng, B, C, H, D, Dv, rows, columns, P, loud=((1,),)):
    """Scaled scores of about 100 * loud[b, h] * rows[i] * columns[j], the keys of `past` first. Queries
    and latents are two parts of a token, and each head reads the first number of both.
    """
    n, K = len(rows), H * D
    E = K + C
    inputs = arrays(rng, B, n, E, C, H, D, Dv, P)
    q = 0.2 * rng.standard_normal((B, n, H, D))
    q[..., 0] = 100 * np.array(rows)[:, None] * np.array(loud)[:, None]
    c = 0.2 * rng.standard_normal((B, P + n, C))
    c[..., 0] = np.sqrt(D) * np.array(columns)
    w_uk = 0.2 * rng.standard_normal((C, H, D))
    w_uk[0] = 0
    w_uk[1:, :, 0] = 0
    w_uk[0, :, 0] = 1
    found = {
        "x": np.concatenate([q.reshape(B, n, K), c[:, P:]], axis=-1),
        "w_dkv": np.eye(E)[:, K:],
        "w_uk": w_uk.reshape(C, K),
        "w_q": np.eye(E)[:, :K],
    }
    if P:
        found["past"] = c[:, :P]
    return inputs | {name: x.astype(np.float32) for name, x in found.items()}


def loud_last(inputs, D):
    """The last token scores 196 in the first head with all others, which do not see it, from column 0
    of the queries and column 1 of the keys. The exponential of that is too large for float32.
    """
    x, w_dkv, w_uk, w_uv, w_q, _ = inputs.values()
    x[..., 0], x[:, -1, 0], x[..., 1], x[:, -1, 1] = 3.5, 0, 0, 3.5 * np.sqrt(D)
    w_q[:2], w_q[:, 0], w_dkv[:2], w_dkv[:, 0] = 0, 0, 0, 0
    w_uk[0], w_uk[:, 0], w_uv[0] = 0, 0, 0
    w_q[0, 0], w_dkv[1, 0], w_uk[0, 0] = 4, 1, 4
    return inputs


def cancelling(rng, B, n, H, D, Dv, pairs):
    """Latents in pairs in the past: the weight of the second is `ratio` times that of the first, and
    values near 1e5 cancel but for about 1; so does, in the output, what all columns of a head
    have in common. Every score has the same large part, which a softmax ignores, and so is a large
    part of every token by the matrices. A rounding to float32 anywhere is more than 1e-4.

    A latent is some numbers for keys, a 1, the logarithm of the ratio, and some numbers for values.
    Of a new token two of the last are large, and what matters is their difference.
    """
    a, b = 3, 4
    C, K = a + 2 + b, H * D
    E = K + C + 1
    w_uk = np.zeros((C, H, D))
    w_uk[:a, :, :-2] = rng.standard_normal((a, H, D - 2))
    w_uk[a, :, -2], w_uk[a + 1, :, -1] = 18.7, 1
    w_uv = np.zeros((C, H * Dv))
    w_uv[a], w_uv[a + 2 :] = 1e5, rng.standard_normal((b, H * Dv))
    w_uv[a + 3] = -w_uv[a + 2]
    w_o = rng.standard_normal((H, Dv, E))
    w_o -= w_o.mean(axis=1, keepdims=True)
    q = rng.standard_normal((B, n, H, D))
    q[..., -2:] = np.sqrt(D) * np.array([17.3, 1])
    latents = rng.standard_normal((B, n, C))
    past = np.repeat(rng.standard_normal((B, pairs, C)), 2, axis=1)
    latents[..., a], past[..., a], latents[..., a + 1], past[..., a + 1] = 1, 1, 0, 0
    latents[..., a + 2 : a + 4] += 1e5 * rng.uniform(1, 2, (B, n, 1))
    ratio = rng.uniform(1.5, 3, (B, pairs, 1))
    past[:, 1::2, a + 1] = np.log(ratio[..., 0])
    large = 1e5 * rng.standard_normal((B, pairs, b))
    past[..., a + 2 :] = rng.standard_normal((B, 2 * pairs, b))
    past[:, ::2, a + 2 :] += large
    past[:, 1::2, a + 2 :] -= large / ratio
    mix = np.linalg.qr(rng.standard_normal((E, E)))[0]
    ignored = np.full((B, n, 1), 1000.0)
    return {
        "x": np.concatenate([q.reshape(B, n, K), latents, ignored], axis=-1) @ mix.T,
        "w_dkv": mix[:, K : K + C],
        "w_uk": w_uk.reshape(C, K),
        "w_uv": w_uv,
        "w_q": mix[:, :K],
        "w_o": w_o.reshape(H * Dv, E),
        "past": past,
    }


def case(name, inputs, num_heads, **rest):
    return Case(name, inputs=inputs, options={"num_heads": num_heads}, **rest)


def cases(rng):
    yield case(
        "three words, two heads",
        arrays(rng, B=1, n=3, E=5, C=2, H=2, D=2, Dv=3, digits=1),
        2,
        sample=True,
        labels=("The", "cat", "sat"),
        note="Each word keeps two numbers, from which both heads make its key and its value.",
    )
    yield case(
        "two new words after four",
        arrays(rng, B=1, n=2, E=5, C=3, H=2, D=4, Dv=3, P=4, digits=1),
        2,
        sample=True,
        rule=PAST,
        note="Four words are in the cache. The first new word does not see the second.",
    )
    yield case(
        "three heads",
        scaled(
            arrays(rng, B=2, n=4, E=7, C=5, H=3, D=2, Dv=3),
            x=10,
            w_dkv=2,
            w_uk=-28,
            w_q=6,
            w_o=-4,
        ),
        3,
        layout=dict.fromkeys(("x", *MATRICES), "transposed"),
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield case(
        "a word of zeros",
        small_numbers(arrays(rng, B=3, n=5, E=6, C=7, H=4, D=2, Dv=3, P=10)),
        4,
        note="A new word, an earlier one and a number of all latents are 0, and another new word is faint.",
    )
    yield case(
        "a longer text",
        faint_scores(arrays(rng, B=2, n=67, E=9, C=4, H=2, D=3, Dv=5, P=101), 2),
        2,
        note="67 new words after 101 earlier ones, and all of them weigh nearly the same.",
    )
    yield case(
        "1009 words before",
        scaled(
            arrays(rng, B=2, n=31, E=7, C=4, H=3, D=5, Dv=2, P=1009),
            w_dkv=-15,
            past=-15,
            w_uk=15,
            w_uv=15,
        ),
        3,
        note="A prime number of earlier words, which no block size divides.",
    )
    yield case(
        "one new word",
        arrays(rng, B=2, n=1, E=8, C=3, H=2, D=5, Dv=7, P=6),
        2,
        rule=PAST,
        note="One step of writing: the newest word looks back at all.",
    )
    yield case(
        "more new words than earlier ones",
        arrays(rng, B=3, n=7, E=5, C=4, H=3, D=2, Dv=4, P=2),
        3,
        rule=PAST,
        note="Seven words are read at once after two.",
    )
    nothing = arrays(rng, B=2, n=3, E=6, C=4, H=2, D=5, Dv=7, P=8)
    nothing["past"][:] = 0
    yield case(
        "latents of zeros before",
        nothing,
        2,
        rule=PAST,
        note="All latents in the cache are 0: those words say nothing, and still take their share.",
    )
    yield case(
        "a shout at the end",
        unheard(rng, B=2, n=5, E=7, C=4, H=3, D=2, Dv=3),
        3,
        rule=FUTURE,
        note="The last word is enormous, and asks nothing. Nobody before it may hear it.",
    )
    yield case(
        "a shout after a past",
        unheard(rng, B=2, n=4, E=7, C=5, H=2, D=3, Dv=4, P=3),
        2,
        rule=FUTURE,
        note="Three words are in the cache, and the last of four new ones is enormous.",
    )
    yield case(
        "one head",
        arrays(rng, B=2, n=4, E=6, C=3, H=1, D=5, Dv=7),
        1,
        rule=HEADS,
        note="A single head has all the columns.",
    )
    yield case(
        "heads of one column",
        scaled(
            arrays(rng, B=3, n=4, E=6, C=7, H=5, D=1, Dv=2, P=8),
            w_dkv=10,
            past=10,
            w_uk=-10,
            w_uv=-10,
        ),
        5,
        rule=HEADS,
        note="Each query and each key is one number, so nothing is divided: D = 1.",
    )
    yield case(
        "wide keys, narrow values",
        scaled(
            arrays(rng, B=2, n=5, E=4, C=3, H=6, D=11, Dv=1),
            w_dkv=-15,
            w_uk=15,
            w_uv=15,
        ),
        6,
        rule=HEADS,
        same="six heads of narrow values: V = 6",
        note="A key has eleven numbers and a value one.",
    )
    heads = int(rng.integers(3, 5))
    yield case(
        "heads that do not divide the keys",
        {
            **arrays(rng, B=2, n=4, E=5, C=3, H=heads, D=2, Dv=4),
            "w_uk": normal(rng, 3, 2 * heads + 1),
            "w_q": normal(rng, 5, 2 * heads + 1),
        },
        heads,
        raises="ValueError",
        rule=REFUSES,
        note="The columns of the keys cannot be shared out evenly.",
    )
    yield case(
        "heads that do not divide the values",
        {
            **arrays(rng, B=2, n=4, E=5, C=3, H=heads, D=2, Dv=3),
            "w_uv": normal(rng, 3, 3 * heads + 2),
            "w_o": normal(rng, 3 * heads + 2, 5),
        },
        heads,
        raises="ValueError",
        rule=REFUSES,
        note="The columns of the values cannot be shared out evenly; those of the keys can.",
    )
    heads = int(rng.choice([4, 8]))
    keys, values = 3 * heads // 2, 5 * heads // 2  # their sum and their product can be shared out
    yield case(
        "heads that divide neither",
        arrays(rng, B=2, n=3, E=7, C=5, H=1, D=keys, Dv=values),
        heads,
        raises="ValueError",
        rule=REFUSES,
        note="Neither the columns of the keys nor those of the values can be shared out evenly.",
    )
    yield case(
        "huge scores",
        far_apart(
            rng,
            *(2, 5, 3, 2, 5),
            rows=(1, -0.5, 0.75),
            # the largest and the least belong to new tokens
            columns=(*rng.permutation([80, -40, 60, 20]), *rng.permutation([100, -99, 0])),
            P=4,
            loud=[(0.5, 1, 0.25), (1, 0.25, 0.5)],
        ),
        3,
        rule=LARGE,
        note="Scores up to 10 000 in float32, and rows, heads and examples on very different scales.",
    )
    yield case(
        "the future scores high",
        far_apart(rng, 3, 5, 2, 4, 3, (1, 1, 1, 1), (-99.99, -60, 40, 99.99), 0),
        2,
        rule=LARGE,
        note="The first word sees itself alone, with a very low score; those of later words are very high.",
    )
    yield case(
        "every score far below zero",
        far_apart(rng, 3, 7, 2, 4, 3, (1, 0.9, 0.95, 0.85, 0.8), (-16, -20, -18, -24, -22), 0),
        2,
        rule=LARGE,
        note="The largest score of each row is below -1000.",
    )
    yield case(
        "every score near -40",
        far_apart(rng, 2, 5, 3, 4, 6, (1, 0.98, 1.02, 0.97), (-0.4, -0.41, -0.39, -0.38), 0),
        3,
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield case(
        "square",
        arrays(rng, B=4, n=4, E=4, C=4, H=2, D=2, Dv=2, P=4),
        2,
        rule=EQUAL,
        same="all sizes are 4, so a matrix that is used the wrong way round has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield case(
        "a word alone",
        arrays(rng, B=2, n=1, E=5, C=3, H=2, D=4, Dv=3),
        2,
        rule=ONE,
        note="No past and one word: it has only itself to look at.",
    )
    yield case(
        "latents of one number",
        arrays(rng, B=2, n=4, E=5, C=1, H=3, D=2, Dv=3, P=7),
        3,
        rule=ONE,
        note="The cache keeps one number a word: C = 1.",
    )
    yield case(
        "one text, one word before",
        arrays(rng, B=1, n=3, E=4, C=5, H=2, D=3, Dv=4, P=1),
        2,
        rule=ONE,
        same="one text and one earlier word: B = P = 1",
        note="The cache holds a single word of a single text.",
    )
    yield case(
        "words of one number",
        one_number(rng, B=2, n=4, P=3),
        1,
        rule=ONE,
        same="everything but the words is one wide: E = C = K = V = 1",
        note="All matrices are single numbers.",
    )
    long = scaled(unheard(rng, B=1, n=2, E=8, C=4, H=16, D=64, Dv=32, P=65537), past=-2)
    long["past"][:, [0, -1]] *= 16  # who leaves out either end is seen
    yield case(
        "65537 words before",
        long,
        16,
        memory_mib=160,
        cpu_factor=10,
        rule=COST,
        note="A long text in a small cache, little memory and little time.",
    )
    yield case(
        "cancelling values in float64",
        cancelling(rng, B=2, n=3, H=2, D=5, Dv=3, pairs=4),
        2,
        rule=PRECISION,
        note="Double precision: large parts of the numbers cancel, and what is left shows each rounding.",
    )
    first = arrays(rng, B=3, n=5, E=7, C=4, H=2, D=3, Dv=4)
    yield case(
        "float64 without a past",
        {name: x * rng.uniform(0.9, 1, x.shape) for name, x in first.items()},
        2,
        rule=PRECISION,
        note="Double precision from the first word on.",
    )
    kept = arrays(rng, B=2, n=4, E=5, C=3, H=2, D=3, Dv=4, P=7)
    yield in_float64(
        case(
            "inputs afterwards",
            kept,
            2,
            wants=tuple(f"after.{name}" for name in kept),
            rule=ALONE,
            note="The caller goes on using all its arrays. Only they are looked at here.",
        )
    )
    yield case(
        "read-only inputs",
        arrays(rng, B=2, n=3, E=6, C=4, H=3, D=3, Dv=5, P=5),
        3,
        layout=dict.fromkeys(kept, "readonly"),
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield case(
        "views",
        arrays(rng, B=3, n=4, E=7, C=5, H=2, D=4, Dv=3, P=2),
        2,
        layout=dict.fromkeys(kept, "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
    )
    yield case(
        "a second call",
        arrays(rng, B=2, n=3, E=7, C=4, H=3, D=2, Dv=5, P=5),
        3,
        before=arrays(rng, B=2, n=3, E=7, C=4, H=3, D=2, Dv=5, P=5),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield case(
        "gradients",
        loud_last(scaled(arrays(rng, B=2, n=4, E=5, C=3, H=3, D=2, Dv=4), w_q=-1), D=2),
        3,
        wants=("grad.x", *(f"grad.{name}" for name in MATRICES)),
        rule=GRADIENTS,
        note="In PyTorch the tokens and all five matrices learn. The last token scores two hundred above the others with those that do not see it.",
    )
    yield case(
        "gradients with a past",
        scaled(arrays(rng, B=2, n=4, E=7, C=3, H=2, D=4, Dv=5, P=6), w_q=-1),
        2,
        wants=("grad.x", "grad.past", *(f"grad.{name}" for name in MATRICES)),
        rule=GRADIENTS,
        note="In PyTorch the cache passes gradients on to earlier words.",
    )


def one_number(rng, B, n, P):
    """Tokens and latents one number wide; the matrices are numbers that are not small."""
    inputs = arrays(rng, B, n, 1, 1, 1, 1, 1, P)
    for name in MATRICES:
        inputs[name] = rng.uniform(0.8, 1.5, (1, 1)).astype(np.float32)
    return inputs


def domain(rng):
    """Any small sizes, with and without a past, scores from 0 to thousands, both dtypes."""
    for number in range(70):
        B, n, E, C, H, D, Dv = map(int, rng.choice([1, 1, 2, 3, 4], 7))
        P = int(rng.choice([0, 0, 1, 2, 5]))
        inputs = arrays(rng, B, n, E, C, H, D, Dv, P)
        inputs["w_q"] = inputs["w_q"] * rng.choice([0, 0.1, 1, 1, 300])
        for name in ("x", "w_uv", "past"):
            if name in inputs:
                inputs[name] = inputs[name] * (
                    rng.random(inputs[name].shape) < rng.choice([0.5, 1, 1])
                )
        dtype = rng.choice([np.float32, np.float64])
        inputs = {name: x.astype(dtype) for name, x in inputs.items()}
        yield case(str(number), inputs, H)
        refused = H + 1
        if number < 16 and (H * D) % refused + (H * Dv) % refused:
            yield case(f"{number}, refused", inputs, refused, raises="ValueError")
