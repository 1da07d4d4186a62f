import numpy as np

from grader.case import Case

SCALE = "A given scale replaces the default"
LEADING = "Any number of leading sizes"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
LARGE = "Large scores"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def draw(rng, *shape, spread=1.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def qkv(rng, lead, n_queries, n_keys, d, dv, dtype=np.float32):
    """Queries, keys and values whose scaled scores have a spread of about 2."""
    return {
        "q": draw(rng, *lead, n_queries, d, spread=1.6, dtype=dtype),
        "k": draw(rng, *lead, n_keys, d, spread=1.3, dtype=dtype),
        "v": draw(rng, *lead, n_keys, dv, dtype=dtype),
    }


def large_scores(rng):
    """The scores of query 0 are 10 000 and 9997, those of query 1 -10 000 and -9997; query 2 scores
    as usual. The two are near enough to show where scores are cut off.
    """
    inputs = qkv(rng, (), 3, 2, 4, 9)
    inputs["q"][:, 0] = [200, -200, 0]
    inputs["q"][:2, 1:] = 0
    inputs["k"][:, 0] = rng.permutation([100, 99.97])
    return inputs


def far_apart(rng):
    """The scores of a row lie thousands apart, from -10 000 to 10 000 when the scale is 0.4, but
    the best two are equal, and so are the worst two: a choice of one key is wrong.
    """
    inputs = qkv(rng, (), 2, 6, 5, 4)
    inputs["q"][:] = 0
    inputs["q"][:, 0] = [250, -250]
    inputs["k"][:, 0] = rng.permutation([100, 100, 30, -20, -100, -100])
    return inputs


def scores_cancel(rng):
    """float64 inputs whose scores are ordinary sums of terms of a million: float32 keeps one or two
    digits of them.
    """
    inputs = qkv(rng, (), 3, 7, 5, 4, dtype=np.float64)
    q, k, _ = inputs.values()
    q[:, 0] = 1000 + 100 * rng.standard_normal(3)
    q[:, 1] = q[:, 0] + 0.002 * rng.standard_normal(3)
    k[:, 0] = 1000 + 100 * rng.standard_normal(7)
    k[:, 1] = 0.004 * rng.standard_normal(7) - k[:, 0]
    return inputs


def values_cancel(rng, scale=0.5):
    """float64 inputs with keys in pairs, of which the second has `ratio` times the weight of the
    first, and values near a million that cancel: ordinary outputs, of which float32 keeps one digit.
    The default scale, a half, is exact in every dtype.
    """
    inputs = qkv(rng, (), 3, 6, 4, 5, dtype=np.float64)
    q, k, v = inputs.values()
    ratio = rng.uniform(1.5, 3, (3, 1))
    q[..., -1] = 1 / scale
    k[1::2] = k[::2]
    k[::2, -1:], k[1::2, -1:] = 0, np.log(ratio)
    v[::2] += 1_000_000
    v[1::2] -= 1_000_000 / ratio
    return inputs


def far_below(rng):
    """With a scale of -0.3 the scores of each row go from about -60 to 60; a query is the opposite
    of the other.
    """
    inputs = qkv(rng, (), 2, 4, 5, 3)
    inputs["q"][:] = 0
    inputs["q"][:, 0] = [10, -10]
    inputs["k"][:, 0] = rng.permutation([20, 19, -19, -20]) + draw(rng, 4, spread=0.1)
    return inputs


def small_numbers(inputs):
    """Scores as before from small keys, and small values; one query, one key and one column of the
    values are 0, and the dot products of one query are below 1e-4. Powers of two round nothing.
    """
    q, k, v = inputs.values()
    q[1], q[0, 0] = 0, 0
    k[1], k[0, 1] = 0, k[0, 1] / 2**6
    q[2] *= 9e-5 / np.abs(k @ q[2]).max()
    v[:, 0], v[:, -1] = 0, v[:, -1] / 2**4
    return {"q": q * 2**10, "k": k / 2**10, "v": v / 2**12}


def large_numbers(inputs):
    """Large keys and values. One key scores 10 more than the others and has the value 0, so that
    the output is made of weights below 1e-4. Powers of two round nothing.
    """
    q, k, v = inputs.values()
    q /= 8
    q[:, 0], k[:, 0], k[1], v[1] = 2, 0, 0, 0
    k[1, 0] = 5 * k.shape[1] ** 0.5
    return {"q": q / 2**16, "k": k * 2**16, "v": v * 2**16}


def nearly_equal_weights(inputs):
    """Small scores: among many keys every weight is small too, and its sixth decimal counts. Each
    of the last keys equals an earlier one, and so does each of the last queries.
    """
    q, k, v = inputs.values()
    q[200:], k[200:] = q[: len(q) - 200], k[: len(k) - 200]
    return {"q": q / 2**3, "k": k, "v": v}


def cases(rng):
    yield Case(
        "five words",
        inputs={name: np.round(x, 1) for name, x in qkv(rng, (), 5, 5, 4, 3).items()},
        sample=True,
        labels=("The", "cat", "sat", "on", "mats"),
        same="the words of one sentence attend to each other: L = S",
        note="The plain definition on one sentence.",
    )
    yield Case(
        "two queries, three keys",
        inputs={name: np.round(x, 1) for name, x in qkv(rng, (), 2, 3, 4, 1).items()},
        sample=True,
        note="Queries and keys need not be equally many.",
    )
    yield Case(
        "more keys than queries",
        inputs=large_numbers(qkv(rng, (), 4, 6, 8, 5)),
        note="The plain definition, with no leading size.",
    )
    yield Case(
        "more queries than keys",
        inputs=small_numbers(qkv(rng, (), 7, 3, 4, 6)),
        note="Values wider than queries.",
    )
    yield Case(
        "a long sentence",
        inputs=nearly_equal_weights(qkv(rng, (), 257, 257, 16, 8)),
        same="257 words attend to each other: L = S",
        note="257 queries and keys, and some of them occur twice.",
    )
    for words, scale, note in (
        ("a half", 0.5, "The caller chooses the scale."),
        ("one", 1, "With a scale of 1, the dot products stay as they are."),
        ("zero", 0.0, "Zero is a scale like any other."),
        ("minus 0.3", -0.3, "With a negative scale, the least similar key counts most."),
    ):
        yield Case(
            f"a scale of {words}",
            inputs=qkv(rng, (), 4, 3, 6, 5),
            options={"scale": scale},
            rule=SCALE,
            note=note,
        )
    yield Case(
        "a scale of zero, more keys",
        inputs={"q": draw(rng, 4, 4), "k": draw(rng, 4, 4, 4), "v": draw(rng, 4, 5)},
        options={"scale": 0},
        wants=("output", "weights", "grad.q", "grad.k", "grad.v"),
        rule=SCALE,
        same="all sizes are 4, so that a mistake about the axes changes no weight: all are a quarter",
        note="A scale of zero, and the keys have a leading size that the queries lack. In PyTorch the gradients are compared too.",
    )
    # the output is the one value whatever the weights are: gradients come through the weights alone
    yield Case(
        "gradients with a scale",
        inputs=qkv(rng, (), 4, 3, 5, 6) | {"v": np.tile(draw(rng, 6), (3, 1))},
        options={"scale": 0.3},
        wants=("output", "weights", "grad.q", "grad.k", "grad.v"),
        rule=SCALE,
        note="In PyTorch the gradients are compared too. All keys have the same value.",
    )
    yield Case(
        "a scale of minus 0.3, scores far apart",
        inputs=far_below(rng),
        options={"scale": -0.3},
        rule=SCALE,
        note="With a negative scale the largest score is the least dot product of all.",
    )
    yield Case(
        "one leading size",
        inputs=qkv(rng, (1,), 3, 5, 6, 4),
        rule=LEADING,
        note="A single leading size, and it is 1.",
    )
    yield Case(
        "batch and heads",
        inputs=qkv(rng, (2, 4), 4, 6, 8, 5),
        layout={"q": "strided", "v": "transposed"},
        rule=LEADING,
        same="as many heads as queries, so that the weights of a batch do not tell the two apart",
        note="Two leading sizes; there are as many heads as queries. q and v are views, as transpositions make them.",
    )
    yield Case(
        "leading sizes that broadcast",
        inputs={
            "q": draw(rng, 3, 1, 4, 6, spread=1.6),
            "k": draw(rng, 2, 5, 6, spread=1.3),
            "v": draw(rng, 7, 1, 1, 5, 8),
        },
        rule=LEADING,
        note="Leading sizes (3, 1), (2,) and (7, 1, 1) for q, k and v.",
    )
    yield Case(
        "leading sizes of one on both sides",
        inputs={
            "q": draw(rng, 3, 1, 4, 6, spread=1.6),
            "k": draw(rng, 1, 2, 5, 6, spread=1.3),
            "v": draw(rng, 3, 2, 5, 8),
        },
        rule=LEADING,
        note="Leading sizes (3, 1), (1, 2) and (3, 2) for q, k and v.",
    )
    yield Case(
        "as many keys as dimensions",
        inputs=qkv(rng, (), 5, 5, 5, 5),
        rule=EQUAL,
        same="L = S = D = Dv, so that no shape tells its axes apart",
        note="All matrices are square.",
    )
    yield Case(
        "one query", inputs=qkv(rng, (), 1, 5, 4, 3), rule=ONE, note="L = 1: one row of weights."
    )
    yield Case(
        "one key",
        inputs=qkv(rng, (), 2, 1, 4, 3),
        rule=ONE,
        note="S = 1: the only key there is gets all the attention.",
    )
    yield Case(
        "vectors of one number",
        inputs=qkv(rng, (), 4, 3, 1, 1),
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1.",
    )
    yield Case(
        "queries of one number",
        inputs=qkv(rng, (), 4, 5, 1, 3),
        rule=ONE,
        note="D = 1, and the values are wider.",
    )
    yield Case(
        "a batch of one",
        inputs=qkv(rng, (1, 2, 1), 4, 3, 6, 5),
        rule=LEADING,
        note="Leading sizes (1, 2, 1): a batch of one is still a batch, and a single head keeps its axis.",
    )
    yield Case(
        "scores up to 10 000",
        inputs=large_scores(rng),
        rule=LARGE,
        note="A row of scores next to 10 000, one next to -10 000, and an ordinary one.",
    )
    yield Case(
        "scores up to 10 000, with a scale",
        inputs=far_apart(rng),
        options={"scale": 0.4},
        rule=LARGE,
        note="Scores from -10 000 to 10 000 in one row, the best two equal, with a scale that the caller chose.",
    )
    lonely = qkv(rng, (), 3, 1, 2, 4)
    lonely["q"][:, 0], lonely["k"][:, 0], lonely["k"][:, 1] = [140, -140, 90], 100, 0
    yield Case(
        "one key with a large score",
        inputs=lonely,
        rule=LARGE,
        note="However large its score is, the only key gets all the attention.",
    )
    far = qkv(rng, (), 7, 6, 4, 5)
    far["q"][:, 0], far["k"][:, 0] = 80, -40
    yield Case(
        "every score far below zero",
        inputs=far,
        rule=LARGE,
        note="The largest score of each row is below -1000.",
    )
    faint = qkv(rng, (), 5, 7, 4, 6)
    faint["q"][:, 0], faint["k"][:, 0] = 8, -10
    yield Case(
        "every score near -40",
        inputs=faint,
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "float64, scores that cancel",
        inputs=scores_cancel(rng),
        rule=PRECISION,
        note="Each score is what is left when large terms cancel.",
    )
    yield Case(
        "float64, values that cancel",
        inputs=values_cancel(rng),
        rule=PRECISION,
        note="Large values cancel in the output, and what is left needs their last digits.",
    )
    yield Case(
        "inputs afterwards",
        inputs=qkv(rng, (), 3, 5, 4, 6, dtype=np.float64),
        wants=("after.q", "after.k", "after.v"),
        rule=ALONE,
        note="The caller goes on using q, k and v. Only they are looked at. All are float64.",
    )
    yield Case(
        "read-only inputs",
        inputs=qkv(rng, (), 5, 4, 3, 2),
        layout={"q": "readonly", "k": "readonly", "v": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=qkv(rng, (), 6, 4, 5, 3),
        layout={"q": "strided", "k": "strided", "v": "readonly"},
        rule=VIEWS,
        note="q and k have gaps between their entries; in NumPy, v is read-only.",
    )
    yield Case(
        "transposed matrices",
        inputs=qkv(rng, (), 3, 6, 5, 4),
        layout={"q": "transposed", "k": "transposed", "v": "transposed"},
        rule=VIEWS,
        note="q, k and v lie in memory column by column, without gaps, as a transposition leaves them.",
    )
    yield Case(
        "a second call",
        inputs=qkv(rng, (), 3, 7, 4, 5),
        before=qkv(rng, (), 3, 7, 4, 5),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield Case(
        "gradients",
        inputs=qkv(rng, (), 5, 3, 6, 4),
        wants=("output", "weights", "grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="In PyTorch the gradients are compared, of both results together.",
    )
    alone = qkv(rng, (), 5, 1, 4, 3)
    yield Case(
        "gradients, one key",  # small queries and keys keep roundings out of the zeros
        inputs=alone | {"q": alone["q"] / 2**10, "k": alone["k"] / 2**10},
        wants=("output", "weights", "grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="Nothing changes the weights of the only key: the gradients of q and k are zeros.",
    )
    scale = float(np.float32(rng.uniform(0.3, 0.9))) * (1 + 2e-8)  # float32 would round it
    yield Case(
        "float64, a given scale",
        inputs=values_cancel(rng, scale),
        options={"scale": scale},
        rule=PRECISION,
        note="A scale with sixteen digits, and large values that cancel in the output.",
    )


def domain(rng):
    """Any sizes, leading ones that broadcast, scaled scores from -10 000 to 10 000, any scale."""
    for number in range(90):
        length, s, d, dv = rng.choice([1, 1, 2, 3, 5], 4)
        lead = rng.choice([1, 2, 3], rng.integers(0, 3))
        leads = [np.where(rng.random(len(lead)) < 0.3, 1, lead) for _ in "qkv"]
        leads = [own[rng.integers(0, len(own) + 1) if rng.random() < 0.2 else 0 :] for own in leads]
        sizes = ((length, d), (s, d), (s, dv))
        q, k, v = (
            rng.standard_normal((*own, *size)) for own, size in zip(leads, sizes, strict=True)
        )
        q, k = up_to_the_ends(rng, q, k)
        dtype = rng.choice([np.float32, np.float64])
        inputs = {name: x.astype(dtype) for name, x in zip("qkv", (q, k, 3 * v), strict=True)}
        scale = float(rng.choice([-1, 1, 0.1]) / np.sqrt(d)) * rng.uniform(0.5, 1)
        options = [{}, {"scale": None}, {"scale": scale}, {"scale": 0}, {"scale": 0.0}]
        yield Case(
            str(number), inputs=inputs, options=options[rng.choice(5, p=[0.4, 0.1, 0.3, 0.1, 0.1])]
        )


def up_to_the_ends(rng, q, k):
    """Queries and keys of any dtype; the largest scaled score is anything up to 10 000.

    Some have equal scores, some large ones that differ by little, some are zero.
    """
    style = rng.integers(5)
    if style == 0:
        q, k = np.round(q), np.round(k)
    if style == 1:
        k = k + 30
    if style == 2:
        q = q * rng.integers(0, 2, (*q.shape[:-1], 1))
    largest = np.abs(q @ k.swapaxes(-2, -1)).max() / np.sqrt(q.shape[-1])
    if rng.random() < 0.5:
        q = q * min(1e3, rng.choice([0.1, 30, 1000, 9_990]) / max(largest, 1e-3))
    return q, k
