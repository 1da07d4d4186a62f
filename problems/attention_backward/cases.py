import numpy as np

from grader.case import Case, in_float64

ALIGNED = "Causal is aligned to the end"
NOTHING = "A query that sees nothing gets zeros"
LEADING = "Any number of leading sizes"
ONE = "Any size may be one"
LARGE = "Large scores"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
NAMES = ("q", "k", "v", "grad_output")


def draw(rng, n_queries, n_keys, d, dv, lead=(), dtype=np.float32):
    """Scaled scores with a spread of about 1.5; gradients that have a mean of their own."""
    sizes = ((n_queries, d), (n_keys, d), (n_keys, dv), (n_queries, dv))
    arrays = [rng.standard_normal((*lead, *size)) for size in sizes]
    arrays[0] *= 1.5
    arrays[3] += 0.5
    return {name: x.astype(dtype) for name, x in zip(NAMES, arrays, strict=True)}


def rounded(inputs):
    return {name: np.round(x, 1) + np.float32(0) for name, x in inputs.items()}


def raised(rng, n_queries, n_keys, d, dv, common=64):
    """Row i of the scores has a common part that softmax ignores, between -9 900 and 9 900, and
    ordinary differences. All products are exact in float32.

    All keys have `common` in their first column, so that dq shows there what a row lacks of 1.
    """
    inputs = draw(rng, n_queries, n_keys, d, dv)
    q, k, _, _ = inputs.values()
    q[...], k[...] = np.round(q * 4) / 4, np.round(k * 4) / 4
    k[:, 0] = common
    q[:, 0] = np.round(np.sqrt(d) * 9_900 / common) * np.resize([1, -1, 0.5, -0.25], n_queries)
    return inputs


def far_apart(rng):
    """The scores of a row lie hundreds apart, from -10 000 to 10 000: one key has all the weight, so
    only the values learn.
    """
    inputs = draw(rng, 3, 4, 5, 2)
    q, k, _, _ = inputs.values()
    q *= np.float32(0.1)
    k *= np.float32(0.1)
    q[:, 0] = [100, -100, 70]
    k[:, 0] = np.sqrt(5) * rng.permutation([-99, -60, 40, 99])
    return inputs


def loud_but_unheard(rng):
    """One key scores about 60 below the others: even its enormous value counts for nothing."""
    inputs = draw(rng, 4, 7, 5, 3)
    q, k, v, _ = inputs.values()
    low = rng.integers(7)
    q[:, 0], k[:, 0] = 6, 0
    k[low, 0] = -10 * np.sqrt(5)
    v[low] *= 2.0**36
    return inputs


def low_first_key(rng):
    """The first query sees a single key, with a score of -10 000; what is hidden scores thousands
    more. No score is above 0.
    """
    inputs = draw(rng, 4, 4, 3, 5)
    q, k, _, _ = inputs.values()
    q *= np.float32(0.1)
    k *= np.float32(0.1)
    q[:, 0] = 100
    k[:, 0] = np.sqrt(3) * np.array([-100, *rng.permutation([-60, -40, -20])])
    return inputs


def cancelling(rng):
    """float64 inputs whose scores are ordinary sums of terms of a million: float32 keeps one or two
    digits of them.
    """
    inputs = draw(rng, 3, 7, 5, 4, dtype=np.float64)
    q, k = inputs["q"], inputs["k"]
    q[:, 0] = 1000 + 100 * rng.standard_normal(3)
    q[:, 1] = q[:, 0] + 0.002 * rng.standard_normal(3)
    k[:, 0] = 1000 + 100 * rng.standard_normal(7)
    k[:, 1] = 0.004 * rng.standard_normal(7) - k[:, 0]
    return inputs


def values_that_cancel(rng, more_keys=0):
    """float64 keys in pairs that differ by a hundred-thousandth, with large values of opposite sign:
    ordinary sums for the queries. All gradients of weights have 1 000 in common, of which a sum
    of weights in float32 makes three tolerances or more, and a guard of 1e-9 less than a half.
    More keys, behind these, have ordinary values.
    """
    inputs = draw(rng, 12, 6 + more_keys, 3, 5, dtype=np.float64)
    _, k, v, grad = inputs.values()
    k[1:6:2] = k[:6:2] + 1e-5 * rng.standard_normal((3, 3))
    large = 1e5 * rng.standard_normal((3, 5))
    v[:6:2] += large
    v[1:6:2] -= large
    common = rng.uniform(1, 2, 5)
    grad += np.outer(1 - grad @ common, common) / (common @ common)
    v += 1_000 * common
    return inputs


def gradients_that_cancel(rng):
    """float64 gradients of equal queries, large and of opposite sign: ordinary sums for the keys
    and values.
    """
    inputs = draw(rng, 6, 5, 4, 3, dtype=np.float64)
    inputs["q"][1::2] = inputs["q"][::2]
    inputs["grad_output"][::2] += 1e6
    inputs["grad_output"][1::2] -= 1e6
    return inputs


def small_numbers(inputs):
    """Small gradients and keys; one query, one key, a column of both and a gradient are 0. Powers
    of two round nothing.
    """
    q, k, v, grad = inputs.values()
    q[1], k[2], q[:, 0], k[:, 1], grad[0, 0] = 0, 0, 0, 0, 0
    return {"q": q * 2, "k": k / 2, "v": v, "grad_output": grad / 2**15}


def large_numbers(inputs):
    q, k, v, grad = inputs.values()
    return {"q": q / 2**8, "k": k * 2**8, "v": v * 2**8, "grad_output": grad * 2**4}


def small_values(inputs):
    """Small values and large gradients. Powers of two round nothing."""
    return inputs | {"v": inputs["v"] / 2**10, "grad_output": inputs["grad_output"] * 2**7}


def small_vectors(inputs):
    """Small queries and keys: the gradients of what has no influence are small too, however one
    rounds.
    """
    return inputs | {"q": inputs["q"] / 2**9, "k": inputs["k"] / 2**9}


def lifted(inputs, height):
    """All scores higher by a height that softmax ignores, and that exp can take in float32."""
    q, k, _, _ = inputs.values()
    q[:, 0], k[:, 0] = 4, height / 4 * np.sqrt(q.shape[1])
    return inputs


def cases(rng):
    yield Case(
        "two queries, three keys",
        inputs=rounded(draw(rng, 2, 3, 4, 5)),
        sample=True,
        note="The plain definition.",
    )
    yield Case(
        "three words, causal",
        inputs=rounded(draw(rng, 3, 3, 2, 4)),
        options={"causal": True},
        sample=True,
        rule=ALIGNED,
        labels=("The", "cat", "sat"),
        same="the words of one sentence attend to each other: L = S",
        note="Each word sees itself and the words before it.",
    )
    yield Case(
        "more keys than queries",
        inputs=large_numbers(draw(rng, 4, 6, 5, 3)),
        note="The plain definition on larger numbers.",
    )
    yield Case(
        "more queries than keys",
        inputs=small_numbers(draw(rng, 7, 3, 4, 6)),
        note="Small gradients; one query and one key are 0.",
    )
    yield Case(
        "a square of everything",
        inputs=small_values(draw(rng, 5, 5, 5, 5)),
        same="L = S = D = Dv, so that a forgotten transposition has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "a long sentence", inputs=draw(rng, 101, 97, 16, 8), note="A hundred queries and keys."
    )
    blank = draw(rng, 6, 6, 5, 3)
    blank["q"][3] = 0
    yield Case(
        "causal",
        inputs=blank,
        options={"causal": True},
        rule=ALIGNED,
        same="as many queries as keys, as in the training of a decoder",
        note="As many queries as keys. One query is 0 everywhere, and so are its scores.",
    )
    yield Case(
        "causal, fewer queries than keys",
        # for blocks of 16, 32 or 64 keys, the last query is the only one that sees into the last
        inputs=draw(rng, 40, 65, 6, 4),
        options={"causal": True},
        rule=ALIGNED,
        note="The queries are the last forty positions, as in decoding with a cache.",
    )
    yield Case(
        "causal, more queries than keys",
        inputs=draw(rng, 7, 4, 5, 3),
        options={"causal": True},
        rule=NOTHING,
        note="Aligned to the end, the first queries come before every key.",
    )
    yield Case(
        "causal, two queries, one key",
        inputs=draw(rng, 2, 1, 5, 4),
        options={"causal": True},
        wants=("dv",),
        rule=NOTHING,
        note="The first query comes before the only key. Only dv is looked at here.",
    )
    yield Case(
        "a batch, causal",
        inputs=draw(rng, 4, 6, 5, 3, lead=(2,)),
        options={"causal": True},
        rule=LEADING,
        note="One leading size, and no look ahead.",
    )
    yield Case(
        "batch and heads",
        inputs=draw(rng, 4, 6, 5, 7, lead=(2, 3)),
        layout=dict.fromkeys(("q", "v", "grad_output"), "transposed"),
        rule=LEADING,
        note="Two leading sizes.",
    )
    yield Case(
        "documents, batch and heads",
        inputs=draw(rng, 5, 7, 4, 6, lead=(2, 3, 2)),
        options={"causal": True},
        layout={"q": "strided"},
        rule=LEADING,
        note="Three leading sizes, and no look ahead; q is a view, as a transposition makes it.",
    )
    yield Case(
        "a batch of single queries",
        inputs=draw(rng, 1, 5, 6, 4, lead=(2,)),
        rule=LEADING,
        note="One leading size, and one query each, as in decoding.",
    )
    yield Case(
        "one query", inputs=draw(rng, 1, 5, 4, 3), rule=ONE, note="L = 1: one row of weights."
    )
    yield Case(
        "one key",
        inputs=small_vectors(draw(rng, 3, 1, 4, 2)),
        rule=ONE,
        note="S = 1: its weight is 1 whatever the score is, so there is nothing to learn for q and k.",
    )
    yield Case(
        "vectors of one number",
        inputs=draw(rng, 4, 3, 1, 1),
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1.",
    )
    yield Case(
        "rows raised by thousands",
        inputs=raised(rng, 3, 5, 4, 6),
        rule=LARGE,
        note="All scores of a row are near 9 900, or near -9 900, and differ as usual.",
    )
    yield Case(
        "scores far apart",
        inputs=far_apart(rng),
        wants=("dv",),
        rule=LARGE,
        note="From -10 000 to 10 000 in one row: one key has all the weight. Only dv is looked at here.",
    )
    yield Case(
        "a loud value that nobody hears",
        inputs=loud_but_unheard(rng),
        rule=LARGE,
        note="The score of one key lies 60 below the others, and its value is enormous.",
    )
    yield Case(
        "the only visible key scores -10 000",
        inputs=low_first_key(rng),
        options={"causal": True},
        wants=("dv",),
        rule=LARGE,
        same="the first query sees a single key: L = S",
        note="The first query sees one key, with a very low score; the future scores higher, but no score is above 0. Only dv is looked at here.",
    )
    yield Case(
        "float64, scores that cancel",
        inputs=cancelling(rng),
        rule=PRECISION,
        note="Each score is what is left when large terms cancel.",
    )
    yield Case(
        "float64, values that cancel",
        inputs=values_that_cancel(rng),
        wants=("dq",),
        rule=PRECISION,
        note="Keys that are nearly alike have large values of opposite sign, which cancel in dq, and so does what all values have in common.",
    )
    yield Case(
        "float64, gradients that cancel",
        inputs=gradients_that_cancel(rng),
        wants=("dk", "dv"),
        rule=PRECISION,
        note="Large gradients of equal queries cancel in dk and dv.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=draw(rng, 3, 5, 4, 6),
            wants=tuple(f"after.{name}" for name in NAMES),
            rule=ALONE,
            note="The caller goes on using the four arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=draw(rng, 5, 4, 3, 2),
        layout=dict.fromkeys(NAMES, "readonly"),
        rule=ALONE,
        note="The inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=draw(rng, 6, 4, 5, 3),
        layout=dict.fromkeys(NAMES, "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries, as slicing makes them.",
    )
    yield Case(
        "a second call",
        inputs=lifted(draw(rng, 3, 7, 4, 5), -30),
        before=lifted(draw(rng, 3, 7, 4, 5), 80),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield Case(
        "a batch, causal, more queries than keys",
        inputs=draw(rng, 5, 3, 4, 6, lead=(3,)),
        options={"causal": True},
        rule=NOTHING,
        note="The first two queries of each example come before every key.",
    )
    yield Case(
        "a batch of one",
        inputs=draw(rng, 4, 3, 5, 6, lead=(1,)),
        rule=ONE,
        note="One leading size, which is 1.",
    )
    yield Case(
        "float64, values that cancel, causal",
        inputs=values_that_cancel(rng, more_keys=11),  # all queries see the pairs
        options={"causal": True},
        wants=("dq",),
        rule=PRECISION,
        note="Keys that are nearly alike have large values of opposite sign, and later keys are hidden from earlier queries.",
    )
    yield Case(
        "rows raised by thousands, loud keys",
        inputs=raised(rng, 11, 7, 4, 5, common=1024),
        wants=("dq",),
        rule=LARGE,
        note="All scores of a row are near 9 900, or near -9 900, and differ as usual. What the keys have in common is large. Only dq is looked at here.",
    )


def domain(rng):
    """Any sizes, causal or not, scaled scores from -10 000 to 10 000."""
    for number in range(70):
        n_queries, n_keys, d, dv = (int(n) for n in rng.choice([1, 1, 2, 3, 5], 4))
        lead = tuple(rng.choice([1, 2, 3], rng.integers(0, 3)))
        inputs = draw(rng, n_queries, n_keys, d, dv, lead, np.float64)
        q, k = inputs["q"], inputs["k"]
        largest = np.abs(q @ k.swapaxes(-2, -1)).max() / np.sqrt(d)
        if number % 4 == 0:
            inputs["q"] = q * min(1e3, rng.choice([0.1, 30, 1000, 9_990]) / max(largest, 1e-3))
        dtype = rng.choice([np.float32, np.float64])
        yield Case(
            str(number),
            inputs={name: x.astype(dtype) for name, x in inputs.items()},
            options={"causal": bool(rng.integers(2))},
        )
