import numpy as np

from grader.case import Case

EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
LARGE = "Large scores"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"


def draw(rng, *shape, spread=1.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def words_and_matrices(rng, n, e, d, dv, dtype=np.float32):
    """The scaled scores have a spread of about 2."""
    return {
        "x": draw(rng, n, e, dtype=dtype),
        "w_q": draw(rng, e, d, spread=1.6 / e**0.5, dtype=dtype),
        "w_k": draw(rng, e, d, spread=1.3 / e**0.5, dtype=dtype),
        "w_v": draw(rng, e, dv, spread=1 / e**0.5, dtype=dtype),
    }


def large_scores(rng, queries, keys):
    """Words whose queries and keys have one entry each, a query's four times what is given; with
    D = 64 the scaled scores are half the products of what is given, and the scores reach 80 000.
    The first entry of a word goes only into its query, the second only into its key.
    """
    inputs = words_and_matrices(rng, len(keys), 12, 64, 9)
    inputs["x"][:, 0], inputs["x"][:, 1] = queries, keys
    for name in ("w_q", "w_k", "w_v"):
        inputs[name][:2] = 0
    inputs["w_q"][:] = 0
    inputs["w_k"][:, 0] = 0
    inputs["w_q"][0, 0], inputs["w_k"][1, 0] = 4, 1
    return inputs


def terms_cancel(rng, n):
    """float64 words and matrices of which float32 keeps three digits: queries, keys and values are
    ordinary sums of terms of ten thousand.
    """
    inputs = words_and_matrices(rng, n, 4, 5, 3, dtype=np.float64)
    x, *matrices = inputs.values()
    x[:, 0] = 20_000 + 2000 * rng.standard_normal(n)
    x[:, 1] = x[:, 0] + rng.standard_normal(n)
    for w in matrices:
        w[1] = 2e-5 * w[1] - w[0]
    return inputs


def values_cancel(rng):
    """float64 words in pairs: the second key of a pair has `ratio` times the weight of the first,
    and values near a million cancel: ordinary outputs, of which float32 keeps one digit. The root of
    4 is exact in every dtype.
    """
    inputs = words_and_matrices(rng, 6, 7, 4, 3, dtype=np.float64)
    x, w_q, w_k, _ = inputs.values()
    ratio = rng.uniform(1.5, 3, 3)
    x[1::2] = x[::2]
    x[:, -3] = 1
    x[::2, -2], x[1::2, -2] = 0, np.log(ratio)
    x[::2, -1], x[1::2, -1] = 1_000_000, -1_000_000 / ratio
    for w in (w_q, w_k):
        w[-2:], w[:, -1] = 0, 0
    w_q[-3, -1], w_k[-2, -1] = 2, 1  # queries end with 2, keys with the logarithm of the ratio
    return inputs


def rounded(inputs):
    return {name: np.round(x, 1) for name, x in inputs.items()}


def small_numbers(inputs):
    """Scores as before from small words and keys, and small values; the second word and the first
    column of the values are 0; the third word, a column of x and one of w_v are faint.
    """
    x, w_q, w_k, w_v = inputs.values()
    x[1], x[2], x[0, 0] = 0, x[2] / 2**15, 0
    w_q[0, 0], w_k[0, 0], w_v[:, 0] = 0, 0, 0
    w_v[:, -1] *= 9e-5 / np.abs(w_v[:, -1]).max()
    x[:, 2] /= 2**8
    for w in (w_q, w_k, w_v):
        w[2] *= 2**8
    w_k[:, 0] /= 2**8
    w_q[:, 0] *= 2**8
    return {"x": x / 2**8, "w_q": w_q * 2**22, "w_k": w_k / 2**6, "w_v": w_v}


def large_numbers(inputs):
    """Large words, keys and values. For some words one word scores 10 more than the others and has
    the value 0, so that their output is made of weights below 1e-4. Powers of two round nothing.
    """
    x, w_q, w_k, w_v = inputs.values()
    x[1], x[:, 0], x[:, 1] = 0, [2, 0, 2, 0, 2], [0, 1, 0, 0, 0]
    w_q /= 8
    w_q[0], w_q[:, 0], w_k[0], w_k[:, 0], w_v[:2] = 0, 0, 0, 0, 0
    w_q[0, 0], w_k[1, 0] = 1, 5 * w_k.shape[1] ** 0.5
    return {"x": x * 2**8, "w_q": w_q / 2**24, "w_k": w_k * 2**8, "w_v": w_v * 2**12}


def faint_scores(inputs):
    """Scores of a few thousandths, those of one word below 1e-4. With many words every weight is
    small too, so that its sixth decimal counts.
    """
    x, w_q, w_k, w_v = inputs.values()
    w_q, w_v = w_q / 2**11, w_v / 2**7
    x[0] *= 9e-5 / np.abs(x @ w_k @ (x[0] @ w_q)).max()
    return {"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v}


def lifted(inputs, height):
    """All scaled scores higher by a height that softmax ignores, and that exp can take in float32.
    The first entry of a word is 1 and goes only into the first one of its query and of its key.
    """
    x, w_q, w_k, _ = inputs.values()
    x[:, 0] = 1
    for w, entry in ((w_q, 4), (w_k, height / 4 * w_k.shape[1] ** 0.5)):
        w[0], w[:, 0], w[0, 0] = 0, 0, entry
    return inputs


def cases(rng):
    yield Case(
        "three words",
        inputs=rounded(words_and_matrices(rng, 3, 4, 2, 5)),
        sample=True,
        labels=("The", "cat", "sat"),
        note="All four steps on a short sentence.",
    )
    yield Case(
        "four words",
        inputs=rounded(words_and_matrices(rng, 4, 3, 2, 5)),
        sample=True,
        labels=("cats", "sit", "on", "mats"),
        note="Values wider than words.",
    )
    yield Case(
        "five words",
        inputs=large_numbers(words_and_matrices(rng, 5, 6, 4, 3)),
        layout=dict.fromkeys(("w_q", "w_k", "w_v"), "transposed"),
        note="Queries narrower than words.",
    )
    yield Case(
        "wide queries",
        inputs=small_numbers(words_and_matrices(rng, 6, 5, 32, 7)),
        note="Queries wider than words.",
    )
    yield Case(
        "a longer text",
        inputs=faint_scores(words_and_matrices(rng, 257, 16, 8, 12)),
        note="257 words.",
    )
    yield Case(
        "all sizes equal",
        inputs=words_and_matrices(rng, 4, 4, 4, 4),
        rule=EQUAL,
        same="n = E = D = Dv, so that no shape tells an axis apart",
        note="Every matrix is square.",
    )
    yield Case(
        "one word",
        inputs=words_and_matrices(rng, 1, 5, 4, 3),
        rule=ONE,
        note="The only word there is attends to itself.",
    )
    yield Case(
        "vectors of one number",
        inputs=words_and_matrices(rng, 3, 1, 1, 1),
        rule=ONE,
        same="the narrowest vectors there are: E = D = Dv = 1",
        note="E = D = Dv = 1.",
    )
    yield Case(
        "scores up to 10 000",
        inputs=large_scores(rng, [200, -200], [100, 99.97]),
        rule=LARGE,
        note="A row of scores next to 10 000, and one next to -10 000.",
    )
    yield Case(
        "scores from -10 000 to 10 000",
        inputs=large_scores(rng, [200, -200, 50], [100, 30, -100]),
        rule=LARGE,
        note="Very large scores of both signs in one row.",
    )
    yield Case(
        "every score far below zero",
        inputs=large_scores(rng, [-200, -150], [100, 99.97]),
        rule=LARGE,
        note="The largest score of each row is below -7000.",
    )
    yield Case(
        "one word with a large score",
        inputs=large_scores(rng, [200], [99.9]),
        rule=LARGE,
        note="However large its score is, the only word attends to itself.",
    )
    yield Case(
        "float64, one word",
        inputs=terms_cancel(rng, 1),
        rule=PRECISION,
        note="A single word in double precision.",
    )
    yield Case(
        "double precision",
        inputs=terms_cancel(rng, 7),
        rule=PRECISION,
        note="float64 inputs. Large terms cancel, and what is left needs their last digits.",
    )
    yield Case(
        "float64, values that cancel",
        inputs=values_cancel(rng),
        rule=PRECISION,
        note="Large values cancel in the output, and what is left needs their last digits.",
    )
    yield Case(
        "inputs afterwards",
        inputs=words_and_matrices(rng, 5, 6, 3, 2, dtype=np.float64),
        wants=("after.x", "after.w_q", "after.w_k", "after.w_v"),
        rule=ALONE,
        note="The caller goes on using all four. Only they are looked at. All are float64.",
    )
    yield Case(
        "read-only inputs",
        inputs=words_and_matrices(rng, 6, 5, 3, 4),
        layout={"x": "readonly", "w_q": "readonly", "w_k": "readonly", "w_v": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=words_and_matrices(rng, 4, 6, 5, 3),
        layout={"x": "strided", "w_q": "strided", "w_k": "strided", "w_v": "readonly"},
        rule=VIEWS,
        note="x, w_q and w_k have gaps between their entries; in NumPy, w_v is read-only.",
    )
    yield Case(
        "a second call",
        inputs=lifted(words_and_matrices(rng, 7, 5, 3, 2), -40),
        before=lifted(words_and_matrices(rng, 7, 5, 3, 2), 40),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers: its scores are far lower.",
    )


def domain(rng):
    """Any sizes, scaled scores from -10 000 to 10 000, equal ones too, both dtypes."""
    for number in range(70):
        n, e, d, dv = rng.choice([1, 1, 2, 3, 5], 4)
        x = rng.standard_normal((n, e))
        inputs = {"x": x} | any_matrices(rng, x, e, d, dv)
        dtype = rng.choice([np.float32, np.float64])
        yield Case(str(number), inputs={name: x.astype(dtype) for name, x in inputs.items()})


def any_matrices(rng, x, e, d, dv):
    """Matrices of either sign and any size; the largest scaled score is anything up to 10 000."""
    w = {
        f"w_{name}": rng.standard_normal((e, width))
        for name, width in zip("qkv", (d, d, dv), strict=True)
    }
    style = rng.integers(4)
    if style == 0:
        x[...], w["w_q"], w["w_k"] = np.round(x), np.round(w["w_q"]), np.round(w["w_k"])
    if style == 1:
        x[rng.integers(len(x))] = 0
    largest = np.abs((x @ w["w_q"]) @ (x @ w["w_k"]).T).max() / np.sqrt(d)
    if rng.random() < 0.5:
        w["w_q"] *= min(1e3, rng.choice([0.1, 30, 1000, 9_990]) / max(largest, 1e-3))
    return w
