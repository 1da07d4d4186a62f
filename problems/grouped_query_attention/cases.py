"""Grouped-query attention: all sizes differ, and there are more heads than groups and more groups
than one, wherever a case is not about exactly that.
"""

import numpy as np

from grader.case import Case, in_float64

GROUPS = "From one group to as many as heads"
REFUSES = "Other numbers of groups are refused"
ALIGNED = "Causal is aligned to the end"
NOTHING = "A query that sees nothing gets zeros"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def qkv(rng, B, H, G, L, S, D, Dv, digits=None):
    """Queries, keys and values whose scaled scores have a spread of about 1.5."""
    q = 1.5 * rng.standard_normal((B, H, L, D))
    k = rng.standard_normal((B, G, S, D))
    v = rng.standard_normal((B, G, S, Dv))
    if digits is not None:
        q, k, v = (np.round(x, digits) + 0.0 for x in (q, k, v))
    return {"q": q.astype(np.float32), "k": k.astype(np.float32), "v": v.astype(np.float32)}


def future(rng, **sizes):
    """The last key has values of 1e20. The last query, which alone may see it, scores it 200 below
    all others, so that its weight there is 0 in float32, too.
    """
    inputs = qkv(rng, **sizes)
    q, k, v = inputs.values()
    q[..., 0], k[..., 0] = 0, 0
    q[:, :, -1, 0], k[:, :, -1, 0] = 1, -200 * q.shape[-1] ** 0.5
    v[:, :, -1] *= 1e20
    return inputs


def loud_future(inputs):
    """The last key scores about 200 above the others with all queries but the last, which alone may
    see it. The exponential of that is too large for float32.
    """
    q, k, _ = inputs.values()
    D = q.shape[-1]
    q[..., 0], k[..., 0] = 14, 0
    q[..., -1, 0], k[..., -1, 0] = 0, 14 * np.sqrt(D)
    return inputs


def small_numbers(inputs):
    """Scores as before from small keys, and small values; one query, one key and one column of the
    values are 0, and one query is faint. Powers of two round nothing.
    """
    q, k, v = inputs.values()
    q[..., 1, :], q[..., 2, :], q[..., 0, 0] = 0, q[..., 2, :] / 2**15, 0
    k[..., 1, :], k[..., 0, 1] = 0, k[..., 0, 1] / 2**6
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**4
    return {"q": q * 2**10, "k": k / 2**10, "v": v / 2**12}


def large_numbers(inputs):
    """Scores as before from large keys, and large values."""
    q, k, v = inputs.values()
    return {"q": q / 2**16, "k": k * 2**16, "v": v * 2**16}


def faint_scores(inputs):
    """Weights that are nearly equal, and the first query of each group with products below 1e-4,
    whose signs the first column of the values has.
    """
    q, k, v = inputs.values()
    q /= 8
    first = q[:, :: q.shape[1] // k.shape[1], 0]  # (B, G, D)
    products = (k @ first[..., None])[..., 0]  # (B, G, S)
    first *= 9e-5 / np.abs(products).max(axis=-1, keepdims=True)
    v[..., 0] = np.sign(products)
    return inputs


def ladder(rng, B, H, G, D, Dv, rows, columns, loud=1):
    """Scaled scores of about 32 * loud[b, h] * rows[i] * columns[j]: far apart, so each softmax has
    one clear winner.
    """
    L, S = len(rows), len(columns)
    inputs = qkv(rng, B, H, G, L, S, D, Dv)
    q = rng.uniform(-0.5, 0.5, (B, H, L, D))
    k = rng.uniform(-0.5, 0.5, (B, G, S, D))
    q[..., 0] = 8 * np.multiply.outer(loud, rows)
    k[..., 0] = 4 * np.sqrt(D) * np.array(columns)
    return inputs | {"q": q.astype(np.float32), "k": k.astype(np.float32)}


def cancelling(rng, B, H, G, L, pairs, D, Dv):
    """Keys in pairs: the weight of the second is `ratio` times that of the first, and values near
    1e5 cancel in the output but for about 1. A rounding to float32 anywhere leaves more than 1e-4
    of that. Every score has the same large part, which a softmax ignores. The first pair has
    weights near 1e-5 and does not cancel, so such weights count.
    """
    q = 1.5 * rng.standard_normal((B, H, L, D))
    k = np.repeat(rng.standard_normal((B, G, pairs, D)), 2, axis=2)
    v = rng.standard_normal((B, G, 2 * pairs, Dv))
    ratio = rng.uniform(1.5, 3, (B, G, pairs, 1))
    q[..., -2:] = np.sqrt(D) * np.array([17.3, 1])
    k[..., -2:] = [18.7, 0]
    k[..., 1::2, -1:] = np.log(ratio)
    large = 1e5 * rng.standard_normal((B, G, pairs, Dv))
    v[..., ::2, :] += large
    v[..., 1::2, :] -= large / ratio
    k[..., :2, -1] -= 10
    v[..., 0, :] += 1e4
    return {"q": q, "k": k, "v": v}


def cases(rng):
    yield Case(
        "four heads, two groups",
        inputs=qkv(rng, B=1, H=4, G=2, L=3, S=3, D=5, Dv=6, digits=1),
        sample=True,
        labels=("The", "cat", "sat"),
        same="three words attend to each other: L = S",
        note="Heads 0 and 1 share keys and values, and so do heads 2 and 3.",
    )
    yield Case(
        "two new words, all heads share",
        inputs=qkv(rng, B=1, H=3, G=1, L=2, S=4, D=5, Dv=6, digits=1),
        options={"causal": True},
        sample=True,
        rule=ALIGNED,
        same="one text and one group: B = G = 1",
        note="Two words are in the cache already. The first new word does not see the second.",
    )
    yield Case(
        "six heads, three groups",
        inputs=large_numbers(qkv(rng, B=2, H=6, G=3, L=4, S=5, D=8, Dv=7)),
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield Case(
        "six heads, two groups",
        inputs=small_numbers(qkv(rng, B=3, H=6, G=2, L=5, S=7, D=4, Dv=8)),
        note="Three heads share. One query is 0 everywhere, so all its scores are 0.",
    )
    yield Case(
        "a longer text",
        inputs=faint_scores(qkv(rng, B=1, H=12, G=3, L=67, S=101, D=5, Dv=9)),
        note="67 queries and 101 keys. Four heads share.",
    )
    yield Case(
        "one group",
        inputs=qkv(rng, B=2, H=5, G=1, L=3, S=4, D=7, Dv=6),
        rule=GROUPS,
        note="Multi-query attention: one set of keys and values serves all heads.",
    )
    yield Case(
        "as many groups as heads",
        inputs=qkv(rng, B=2, H=3, G=3, L=5, S=4, D=6, Dv=7),
        rule=GROUPS,
        same="plain multi-head attention: G = H",
        note="Each head has keys and values of its own.",
    )
    yield Case(
        "one head",
        inputs=qkv(rng, B=2, H=1, G=1, L=4, S=3, D=5, Dv=6),
        rule=GROUPS,
        same="the fewest heads there are: H = G = 1",
        note="One head and one group.",
    )
    groups = int(rng.integers(3, 5))
    heads = 2 * groups + 1
    # all queries of an example together, and all its keys, could be shared out evenly
    yield Case(
        "groups that do not divide the heads",
        inputs=qkv(rng, 2, heads, groups, L=3 * groups, S=2 * heads, D=8, Dv=10),
        raises="ValueError",
        rule=REFUSES,
        note="The heads cannot be shared out evenly.",
    )
    yield Case(
        "more groups than heads",
        inputs=qkv(rng, B=3, H=2, G=4, L=5, S=6, D=8, Dv=7),
        raises="ValueError",
        rule=REFUSES,
        note="Some keys would belong to nobody.",
    )
    yield Case(
        "causal",
        inputs=qkv(rng, B=3, H=4, G=4, L=131, S=131, D=5, Dv=7),
        options={"causal": True},
        rule=ALIGNED,
        same="as many queries as keys, as in training: L = S; a group for each head: G = H",
        note="As many queries as keys, 131, and as many groups as heads.",
    )
    blank = qkv(rng, B=2, H=9, G=3, L=4, S=7, D=6, Dv=5)
    blank["q"][:, :, 1] = 0
    yield Case(
        "causal, fewer queries than keys",
        inputs=blank,
        options={"causal": True},
        rule=ALIGNED,
        note="The queries are the last four positions, as in decoding with a cache. One of them is 0 everywhere, and so are its scores.",
    )
    yield Case(
        "causal, one query",
        inputs=qkv(rng, B=3, H=4, G=2, L=1, S=6, D=5, Dv=7),
        options={"causal": True},
        rule=ALIGNED,
        note="One step of decoding: the newest position looks back at all.",
    )
    yield Case(
        "causal, enormous values in the future",
        inputs=future(rng, B=2, H=6, G=3, L=4, S=5, D=7, Dv=8),
        options={"causal": True},
        rule=ALIGNED,
        note="The newest value is 1e20: a weight that is small and not 0 would be seen.",
    )
    yield Case(
        "causal, more queries than keys",
        inputs=qkv(rng, B=2, H=8, G=4, L=7, S=3, D=5, Dv=6),
        options={"causal": True},
        rule=NOTHING,
        note="Aligned to the end, the first queries come before every key.",
    )
    yield Case(
        "causal, two queries, one key",
        inputs=qkv(rng, B=3, H=8, G=4, L=2, S=1, D=5, Dv=6),
        options={"causal": True},
        rule=NOTHING,
        note="The only key stands at the last query, so the first query comes before it.",
    )
    yield Case(
        "huge scores",
        inputs=ladder(
            rng,
            *(2, 6, 3, 7, 8),
            rows=(3, -3, 1, -2),
            columns=(80, -100, 40, 100, -60),
            loud=[(1, 1 / 4, 1 / 4, 1, 1, 1 / 4), (1 / 4, 1, 1 / 4, 1 / 4, 1, 1)],
        ),
        rule=LARGE,
        note="Scores up to 10 000 in float32, and rows on very different scales, also in two heads that share a group, and in two examples.",
    )
    yield Case(
        "both ends of the range",
        inputs=ladder(rng, 3, 4, 2, 5, 6, rows=(3.125, -3.125), columns=(99, 99.99, 99.5, 98, 97)),
        rule=LARGE,
        same="short rows: L = G",
        note="All scores of a row lie close to 10 000, or close to -10 000.",
    )
    yield Case(
        "causal, the future scores high",
        inputs=ladder(rng, 2, 6, 3, 7, 5, rows=(3.125, -3, 2, 1), columns=(-99.99, 90, 60, 99.99)),
        options={"causal": True},
        rule=LARGE,
        same="as many queries as keys: L = S",
        note="The first query sees a single key, with a very low score; the future scores high.",
    )
    yield Case(
        "every score far below zero",
        inputs=ladder(rng, 4, 6, 2, 7, 8, rows=(1, 0.9, 1.1), columns=(-48, -60, -52, -64, -56)),
        rule=LARGE,
        note="The largest score of each row is below -1000.",
    )
    yield Case(
        "every score near -40",
        inputs=ladder(
            rng,
            3,
            4,
            2,
            7,
            8,
            rows=(1, 0.95, 1.02, 0.97, 1.01),
            columns=(-1.25, -1.2, -1.3, -1.22, -1.28, -1.23),
        ),
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "one query, one key",
        inputs=qkv(rng, B=2, H=6, G=3, L=1, S=1, D=4, Dv=5),
        rule=ONE,
        same="a single query meets a single key: L = S = 1",
        note="The only key there is gets all the attention.",
    )
    yield Case(
        "two queries, one key",
        inputs=qkv(rng, B=3, H=4, G=2, L=2, S=1, D=5, Dv=6),
        rule=ONE,
        same="as many queries as groups: L = G",
        note="With a single key its weight is 1.",
    )
    yield Case(
        "one query, many keys",
        inputs=qkv(rng, B=4, H=6, G=3, L=1, S=5, D=8, Dv=7),
        rule=ONE,
        note="A single query in each head.",
    )
    yield Case(
        "one example, vectors of one number",
        inputs=qkv(rng, B=1, H=4, G=2, L=3, S=5, D=1, Dv=1),
        rule=ONE,
        same="one text whose vectors are one number wide: B = D = Dv = 1",
        note="B = D = Dv = 1.",
    )
    yield Case(
        "queries of one number",
        inputs=qkv(rng, B=2, H=6, G=3, L=4, S=5, D=1, Dv=7),
        rule=ONE,
        note="D = 1, and the values are wider.",
    )
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng, B=2, H=6, G=3, L=5, pairs=4, D=10, Dv=7),
        rule=PRECISION,
        note="Double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=qkv(rng, B=2, H=8, G=4, L=3, S=6, D=5, Dv=7),
            options={"causal": True},
            wants=("after.q", "after.k", "after.v"),
            rule=ALONE,
            note="The caller goes on using q, k and v. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=qkv(rng, B=2, H=8, G=4, L=5, S=3, D=6, Dv=7),
        layout={"q": "readonly", "k": "readonly", "v": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=qkv(rng, B=3, H=4, G=2, L=6, S=5, D=8, Dv=7),
        layout={"q": "strided", "k": "strided", "v": "strided"},
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
    )
    yield Case(
        "views without gaps",
        inputs=qkv(rng, B=3, H=6, G=2, L=4, S=7, D=5, Dv=8),
        layout={"q": "transposed", "k": "transposed", "v": "transposed"},
        rule=VIEWS,
        note="The entries lie side by side, but the first axis changes fastest, as after a transposition.",
    )
    yield Case(
        "a second call",
        inputs=qkv(rng, B=2, H=6, G=3, L=4, S=9, D=7, Dv=5),
        before=qkv(rng, B=2, H=6, G=3, L=4, S=9, D=7, Dv=5),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield Case(
        "gradients",
        inputs=qkv(rng, B=2, H=6, G=3, L=5, S=4, D=8, Dv=7),
        wants=("output", "grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="In PyTorch a shared key learns from all heads that use it.",
    )
    yield Case(
        "gradients, fewer queries than keys",
        inputs=loud_future(qkv(rng, B=3, H=4, G=4, L=5, S=8, D=6, Dv=7)),
        options={"causal": True},
        wants=("grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        same="each head has keys and values of its own: G = H",
        note="In PyTorch the keys and values of earlier positions learn, too, also where no heads share them. The newest key scores two hundred above the others with those that do not see it.",
    )
    yield Case(
        "gradients where a query sees nothing",
        inputs=qkv(rng, B=2, H=6, G=3, L=8, S=5, D=4, Dv=7),
        options={"causal": True},
        wants=("grad.q", "grad.k"),
        rule=GRADIENTS,
        note="In PyTorch the gradients are finite, also where a query sees nothing.",
    )
    yield Case(
        "gradient of v where a query sees nothing",
        inputs=qkv(rng, B=2, H=6, G=3, L=7, S=4, D=5, Dv=8),
        options={"causal": True},
        wants=("grad.v",),
        rule=NOTHING,
        note="In PyTorch: a query that sees nothing adds nothing to the gradient of v.",
    )
    yield Case(
        "one head, two groups",
        inputs=qkv(rng, B=3, H=1, G=2, L=5, S=6, D=8, Dv=7),
        raises="ValueError",
        rule=REFUSES,
        note="A single head, and keys for two.",
    )
    yield Case(
        "cancelling values in float64, causal",
        inputs=cancelling(rng, B=3, H=4, G=2, L=1, pairs=4, D=6, Dv=5),
        options={"causal": True},
        rule=PRECISION,
        note="Double precision once more, in one step of decoding: the newest position looks back at all.",
    )


def domain(rng):
    """Any small sizes and groups, with and without the causal rule, scaled scores up to 10 000."""
    for number in range(80):
        B, G, share, L, S, D, Dv = map(int, rng.choice([1, 1, 2, 3, 4], 7))
        inputs = qkv(rng, B, G * share, G, L, S, D, Dv)
        q, k = up_to_the_ends(rng, inputs["q"].astype(float), inputs["k"].astype(float))
        dtype = rng.choice([np.float32, np.float64])
        inputs = {"q": q, "k": k, "v": 3 * rng.standard_normal((B, G, S, Dv))}
        inputs = {name: x.astype(dtype) for name, x in inputs.items()}
        options = [{}, {"causal": True}, {"causal": False}][rng.integers(3)]
        yield Case(str(number), inputs=inputs, options=options)
        if number < 8:
            refused = inputs | {"q": np.concatenate([q, q[:, :1]], axis=1).astype(dtype)}
            if G > 1:
                yield Case(f"{number}, refused", inputs=refused, raises="ValueError")


def up_to_the_ends(rng, q, k):
    """Queries and keys; the largest scaled score is anything up to 10 000. Some have equal scores,
    some large ones that differ by little, some are zero.
    """
    style = rng.integers(4)
    if style == 0:
        q, k = np.round(q), np.round(k)
    if style == 1:
        k = k + 30
    if style == 2:
        q = q * rng.integers(0, 2, (*q.shape[:-1], 1))
    largest = np.abs(q).sum(-1).max() * np.abs(k).max() / np.sqrt(q.shape[-1])
    if rng.random() < 0.5:
        q = q * min(1e3, rng.choice([0.1, 30, 1000, 9_990]) / max(largest, 1e-3))
    return q, k
