"""Soft-capped attention: scores spread over about twice the cap, so that the bend shows, and caps
differ from 1, so that a factor cannot hide.
"""

import numpy as np

from grader.case import Case, in_float64

CAPS = "Any positive cap"
AFTER = "The mask acts after the cap"
NOTHING = "A query that sees nothing gets zeros"
LARGE = "Large scores"
LEADING = "Any number of leading sizes"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def qkv(rng, lead, L, S, D, Dv, spread=3.0, digits=None):
    """Queries, keys and values; `spread` is that of the scaled scores."""
    q = spread * rng.standard_normal((*lead, L, D))
    k = rng.standard_normal((*lead, S, D))
    v = rng.standard_normal((*lead, S, Dv))
    if digits is not None:
        q, k, v = (np.round(x, digits) + 0.0 for x in (q, k, v))
    return {"q": q.astype(np.float32), "k": k.astype(np.float32), "v": v.astype(np.float32)}


def cap_near(rng, middle):
    """A cap within a tenth of what is given, in steps of a hundredth of it."""
    return float(middle * (1 + rng.integers(-10, 11) / 100))


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


def ladder(rng, lead, D, Dv, rows, columns, loud=1):
    """Scaled scores of about 32 * loud[b] * rows[i] * columns[j]."""
    L, S = len(rows), len(columns)
    inputs = qkv(rng, lead, L, S, D, Dv)
    q = rng.uniform(-0.2, 0.2, (*lead, L, D))
    k = rng.uniform(-0.2, 0.2, (*lead, S, D))
    q[..., 0] = 8 * np.multiply.outer(loud, rows)
    k[..., 0] = 4 * np.sqrt(D) * np.array(columns)
    return inputs | {"q": q.astype(np.float32), "k": k.astype(np.float32)}


def cancelling(rng, B, pairs, D, Dv, cap):
    """One query in each example, and keys in pairs: the weight of the second is `ratio` times that
    of the first, and values near 1e5 cancel in the output but for about 1. A rounding to float32
    anywhere leaves more than 1e-3 of that.
    """
    q = 1.5 * rng.standard_normal((B, 1, D))
    v = rng.standard_normal((B, 2 * pairs, Dv))
    along = q * np.sqrt(D) / (q**2).sum(axis=-1, keepdims=True)  # adds 1 to a score
    scores = rng.uniform(-2, 3, (B, pairs, 1))
    scores[:, 0] = 0.04  # near 0 the cap still bends a little
    ratio = rng.uniform(1.5, 3, (B, pairs, 1))
    k = np.repeat(rng.standard_normal((B, pairs, D)), 2, axis=1)
    k -= (k * q).sum(axis=-1, keepdims=True) / np.sqrt(D) * along
    k[:, ::2] += scores * along
    k[:, 1::2] += cap * np.arctanh(np.tanh(scores / cap) + np.log(ratio) / cap) * along
    large = 1e5 * rng.standard_normal((B, pairs, Dv))
    v[:, ::2] += large
    v[:, 1::2] -= large / ratio
    return {"q": q, "k": k, "v": v}


def cases(rng):
    yield Case(
        "three words, a cap of 2",
        inputs=qkv(rng, (1,), 3, 3, 5, 4, digits=1),
        options={"cap": 2.0},
        sample=True,
        labels=("The", "cat", "sat"),
        same="three words attend to each other: L = S",
        note="No score passes 2, however well a word fits.",
    )
    yield Case(
        "two new words, causal",
        inputs=qkv(rng, (1,), 2, 3, 5, 4, digits=1),
        options={"cap": 1.5, "causal": True},
        sample=True,
        rule=AFTER,
        note="The first new word does not see the second.",
    )
    yield Case(
        "a cap of about 3",
        inputs=large_numbers(qkv(rng, (2,), 4, 6, 8, 5)),
        options={"cap": cap_near(rng, 3)},
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield Case(
        "a query of zeros",
        inputs=small_numbers(qkv(rng, (2,), 5, 4, 6, 7)),
        options={"cap": cap_near(rng, 4)},
        note="One query is 0 everywhere, so all its scores are 0, before the cap and after it.",
    )
    yield Case(
        "a longer text",
        inputs=qkv(rng, (2,), 101, 67, 16, 9),
        options={"cap": cap_near(rng, 2.5)},
        note="101 queries and 67 keys.",
    )
    yield Case(
        "a small cap",
        inputs=qkv(rng, (2,), 5, 8, 4, 6),
        options={"cap": cap_near(rng, 0.5)},
        rule=CAPS,
        note="Most scores come close to the cap.",
    )
    yield Case(
        "a cap of one",
        inputs=qkv(rng, (2,), 6, 5, 7, 4),
        options={"cap": 1},
        rule=CAPS,
        note="One is a cap like any other; here it is an integer.",
    )
    yield Case(
        "the cap of the paper",
        inputs=qkv(rng, (2,), 4, 7, 6, 3, spread=8.0),
        options={"cap": cap_near(rng, 50)},
        rule=CAPS,
        note="A cap near 50: ordinary scores are bent a little, large ones more.",
    )
    yield Case(
        "a cap of a billion",
        inputs=qkv(rng, (2,), 3, 6, 4, 7),
        options={"cap": cap_near(rng, 1e9)},
        rule=CAPS,
        note="No score comes near the cap.",
    )
    yield Case(
        "causal",
        inputs=qkv(rng, (3,), 6, 6, 5, 4),
        options={"cap": cap_near(rng, 2), "causal": True},
        rule=AFTER,
        same="as many queries as keys, as in training: L = S",
        note="As many queries as keys.",
    )
    blank = qkv(rng, (2,), 4, 7, 6, 5)
    blank["q"][:, 1] = 0
    yield Case(
        "causal, fewer queries than keys",
        inputs=blank,
        options={"cap": cap_near(rng, 3), "causal": True},
        rule=AFTER,
        note="The queries are the last four positions, as in decoding with a cache. One of them is 0 everywhere, and so are its scores.",
    )
    faint = qkv(rng, (2,), 5, 8, 6, 3, spread=3e-3)
    faint["k"][:, 0] /= 48  # beside this cap, a score below 1e-4 is not 0
    yield Case(
        "causal, a small cap",
        inputs=faint,
        options={"cap": float(rng.integers(1040, 1061) / 1e6), "causal": True},
        rule=AFTER,
        note="A cap near a thousandth. Whatever it does to a hidden score, the key stays hidden.",
    )
    yield Case(
        "causal, more queries than keys",
        inputs=qkv(rng, (3, 2), 7, 4, 5, 6),
        options={"cap": cap_near(rng, 2), "causal": True},
        rule=NOTHING,
        note="Aligned to the end, the first queries come before every key, in each head of each example.",
    )
    yield Case(
        "causal, two queries, one key",
        inputs=qkv(rng, (3,), 2, 1, 5, 4),
        options={"cap": cap_near(rng, 2), "causal": True},
        rule=NOTHING,
        note="The only key stands at the last query, so the first query comes before it.",
    )
    yield Case(
        "huge scores, a small cap",
        inputs=ladder(rng, (2,), 7, 4, rows=(3, -3, 0.002), columns=(90, -100, 40, 100, -60)),
        options={"cap": cap_near(rng, 4)},
        rule=LARGE,
        note="Scores up to 10 000 all come to the cap, so their keys share alike; the last query has ordinary scores.",
    )
    yield Case(
        "huge scores, a cap near a hundred",
        inputs=ladder(rng, (4,), 7, 6, rows=(3, -3, 0.03), columns=(90, -100, 40, 100, -60)),
        options={"cap": float(rng.integers(91, 100))},
        rule=LARGE,
        note="Scores of nearly a hundred are left after the cap; those of the last query are smaller.",
    )
    yield Case(
        "huge scores, a cap below 88",
        inputs=ladder(rng, (2,), 5, 4, rows=(3, -3, 0.002), columns=rng.uniform(60, 100, 97)),
        options={"cap": float(rng.integers(860, 881) / 10)},
        rule=LARGE,
        note="All keys agree: one query scores the cap with each of the 97, another the same below 0.",
    )
    yield Case(
        "huge scores, a large cap",
        inputs=ladder(
            rng,
            *((3,), 6, 4),
            rows=(3.125, -3.125),
            columns=(99.9, 99.99, 60, 98, -97),
            loud=rng.permutation([1, 0.5, 0.2]),
        ),
        options={"cap": float(rng.integers(5001, 5500))},
        rule=LARGE,
        note="After the cap the scores still reach some thousands, and two of them lie close together. The examples are on different scales.",
    )
    yield Case(
        "huge scores beside smaller ones",
        inputs=ladder(rng, (3,), 8, 6, rows=(3.125, 0.1), columns=(99, 99.99, 60, 98, -97)),
        options={"cap": cap_near(rng, 2000)},
        rule=LARGE,
        note="The scores of one query all come to the cap; those of the other stay at some hundreds.",
    )
    yield Case(
        "causal, the future scores high",
        inputs=ladder(rng, (2,), 5, 6, rows=(3.125, -3, 2, 1), columns=(-99.95, 90, 60, 99.99)),
        options={"cap": cap_near(rng, 1e9), "causal": True},
        rule=LARGE,
        same="as many queries as keys: L = S",
        note="The first query sees one key, with a score just above -10 000; the future is high.",
    )
    yield Case(
        "every score far below zero",
        inputs=ladder(
            rng, (2,), 7, 6, rows=(1, 0.9, 1.1), columns=(-48, -60, -52, -64, -56, -68, -72, -76)
        ),
        options={"cap": cap_near(rng, 1e5)},
        rule=LARGE,
        note="The largest score of each row is below -1000.",
    )
    yield Case(
        "every score near -40",
        inputs=ladder(rng, (2,), 6, 5, rows=(1, 0.95, 1.02, 0.97), columns=(-1.25, -1.2, -1.3)),
        options={"cap": cap_near(rng, 1e5)},
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "no leading size",
        inputs=qkv(rng, (), 4, 6, 5, 7),
        options={"cap": cap_near(rng, 3), "causal": True},
        rule=LEADING,
        note="One matrix of queries, causal.",
    )
    yield Case(
        "batch and heads",
        inputs=qkv(rng, (2, 3), 4, 6, 8, 5),
        options={"cap": cap_near(rng, 3), "causal": True},
        rule=LEADING,
        note="Two leading sizes.",
    )
    yield Case(
        "three leading sizes",
        inputs=qkv(rng, (2, 3, 2), 5, 4, 6, 7),
        options={"cap": cap_near(rng, 3)},
        rule=LEADING,
        note="Layers, examples and heads.",
    )
    yield Case(
        "one query, one key",
        inputs=qkv(rng, (2,), 1, 1, 4, 5),
        options={"cap": cap_near(rng, 2)},
        rule=ONE,
        same="a single query meets a single key: L = S = 1",
        note="The only key there is gets all the attention.",
    )
    yield Case(
        "two queries, one key",
        inputs=qkv(rng, (3,), 2, 1, 4, 5),
        options={"cap": cap_near(rng, 2)},
        rule=ONE,
        note="With a single key its weight is 1.",
    )
    yield Case(
        "one query",
        inputs=qkv(rng, (3,), 1, 6, 4, 5),
        options={"cap": cap_near(rng, 2)},
        rule=ONE,
        note="A single query.",
    )
    yield Case(
        "vectors of one number",
        inputs=qkv(rng, (1,), 4, 3, 1, 1),
        options={"cap": cap_near(rng, 1.5)},
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1, and a batch of one.",
    )
    cap = cap_near(rng, 7)
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng, B=3, pairs=4, D=10, Dv=7, cap=cap),
        options={"cap": cap},
        rule=PRECISION,
        note="Double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    cap = cap_near(rng, 500)
    yield Case(
        "cancelling values in float64, a large cap",
        inputs=cancelling(rng, B=2, pairs=5, D=7, Dv=6, cap=cap),
        options={"cap": cap, "causal": True},
        rule=PRECISION,
        note="The same in double precision with a cap near 500, which bends every score a little. It is causal, and the only query sees all keys.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=qkv(rng, (2,), 3, 6, 5, 7),
            options={"cap": cap_near(rng, 2)},
            wants=("after.q", "after.k", "after.v"),
            rule=ALONE,
            note="The caller goes on using q, k and v. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=qkv(rng, (2,), 5, 3, 6, 7),
        options={"cap": cap_near(rng, 2)},
        layout={"q": "readonly", "k": "readonly", "v": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=qkv(rng, (3,), 6, 5, 8, 7),
        options={"cap": cap_near(rng, 3)},
        layout={"q": "strided", "k": "strided", "v": "strided"},
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
    )
    yield Case(
        "inputs in another order in memory",
        inputs=qkv(rng, (3,), 5, 6, 4, 8),
        options={"cap": cap_near(rng, 3)},
        layout={"q": "transposed", "k": "transposed", "v": "transposed"},
        rule=VIEWS,
        note="In memory the first axis of all three is fastest, and there are no gaps.",
    )
    yield Case(
        "a second call",
        inputs=qkv(rng, (2,), 4, 9, 7, 5),
        before=qkv(rng, (2,), 4, 9, 7, 5),
        options={"cap": cap_near(rng, 3)},
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    inputs = qkv(rng, (2,), 5, 4, 8, 7)
    inputs["q"][:, 1] = 0
    yield Case(
        "gradients",
        inputs=inputs,
        options={"cap": cap_near(rng, 3)},
        wants=("output", "grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="In PyTorch the gradients get smaller where the cap bends. One query is 0 everywhere.",
    )
    yield Case(
        "gradients where a query sees nothing",
        inputs=qkv(rng, (2,), 8, 5, 4, 7),
        options={"cap": cap_near(rng, 3), "causal": True},
        wants=("grad.q", "grad.k"),
        rule=GRADIENTS,
        note="In PyTorch the gradients are finite, also where a query sees nothing.",
    )
    yield Case(
        "gradient of v where a query sees nothing",
        inputs=qkv(rng, (2,), 7, 4, 5, 6),
        options={"cap": cap_near(rng, 3), "causal": True},
        wants=("grad.v",),
        rule=NOTHING,
        note="In PyTorch: a query that sees nothing adds nothing to the gradient of v.",
    )
    yield Case(
        "gradients of huge scores",
        inputs=ladder(rng, (2,), 6, 7, rows=(3, -3, 0.002), columns=(90, -100, 40, 100, -60)),
        options={"cap": cap_near(rng, 4)},
        wants=("grad.q", "grad.k"),
        rule=GRADIENTS,
        note="In PyTorch the gradients are finite, also where scores of thousands come to the cap.",
    )
    yield Case(
        "huge scores, a cap above them all",
        inputs=ladder(
            rng, (2,), 16, 5, rows=(3.125, -3.125), columns=(99.98, 100, 60, 99.95, -99.97, -100)
        ),
        options={"cap": cap_near(rng, 25000)},
        rule=LARGE,
        note="The cap is more than twice the highest score, and still bends those near 10 000.",
    )
    inputs = loud_future(qkv(rng, (3,), 5, 8, 6, 7))
    inputs["v"] *= 32
    yield Case(
        "gradients, the future scores high",
        inputs=inputs,
        options={"cap": cap_near(rng, 150), "causal": True},
        wants=("grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="In PyTorch: the newest key scores more than a hundred above the others with the queries that do not see it, and learns nothing from them.",
    )


def domain(rng):
    """Any small sizes and caps, with and without the causal rule, scaled scores up to 10 000."""
    for number in range(80):
        L, S, D, Dv = map(int, rng.choice([1, 1, 2, 3, 4], 4))
        lead = tuple(map(int, rng.choice([1, 2, 3], rng.integers(0, 3))))
        spread = float(rng.choice([0.0, 0.3, 2, 30, 1000]))
        dtype = rng.choice([np.float32, np.float64])
        inputs = qkv(rng, lead, L, S, D, Dv, spread)
        inputs = {name: np.clip(x, -4000, 4000).astype(dtype) for name, x in inputs.items()}
        options = {"cap": [0.2, 1, 2.5, 50, 5000.0][rng.integers(5)]}
        yield Case(
            str(number),
            inputs=inputs,
            options=options | [{}, {"causal": True}, {"causal": False}][rng.integers(3)],
        )
