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


def query_keys_values(rng, n, d, dv, dtype=np.float32):
    """The scaled scores have a spread of about 2: the query's length is fixed, so that it never
    depends on luck.
    """
    query = draw(rng, d, dtype=dtype)
    query *= 2 * d**0.5 / np.linalg.norm(query)
    return {
        "query": query.astype(dtype),
        "keys": draw(rng, n, d, dtype=dtype),
        "values": draw(rng, n, dv, dtype=dtype),
    }


def large_scores(rng, d, sign):
    """Scaled scores of 10 000 and 9997, or of -10 000 and -9997: near enough to each
    other to show where scores are cut off.
    """
    inputs = query_keys_values(rng, 2, d, 9)
    inputs["query"][:] = 0
    inputs["query"][0] = sign * 100 * d**0.5
    inputs["keys"][:, 0] = rng.permutation([100, 99.97])
    return inputs


def far_apart(rng):
    """Scores from -10 000 to 10 000, thousands apart, but for the best two and the worst two: a
    choice of one key is wrong.
    """
    inputs = query_keys_values(rng, 7, 4, 9)
    inputs["query"][:] = [200, 0, 0, 0]
    inputs["keys"][:, 0] = rng.permutation([100, 99.985, 60, 30, -20, -99.985, -100])
    return inputs


def one_large_score(rng):
    """One key, with a scaled score near 9900."""
    inputs = query_keys_values(rng, 1, 4, 3)
    inputs["query"][:] = [198, 0, 0, 0]
    inputs["keys"][:, 0] = 100
    return inputs


def scores_cancel(rng):
    """float64 inputs whose scores are ordinary sums of terms of a million: float32 keeps one or two
    digits of them. In float32 the first entry of the query is exact, and the second surely is not.
    """
    inputs = query_keys_values(rng, 7, 5, 4, dtype=np.float64)
    query, keys, _ = inputs.values()
    query[0] = 1000 + 100 * rng.standard_normal()
    query[1] = query[0] + 0.002 * rng.standard_normal()
    query[:2] = np.round(query[:2] * 2**13) / 2**13
    query[1] += 2**-15
    keys[:, 0] = 1000 + 100 * rng.standard_normal(7)
    keys[:, 1] = 0.004 * rng.standard_normal(7) - keys[:, 0]
    return inputs


def values_cancel(rng):
    """float64 inputs with keys in pairs, of which the second has `ratio` times the weight of the
    first, and values near a million that cancel: ordinary outputs, of which float32 keeps one digit.
    The root of 4 is exact in every dtype.
    """
    inputs = query_keys_values(rng, 8, 4, 3, dtype=np.float64)
    query, keys, values = inputs.values()
    ratio = rng.uniform(1.5, 3, (4, 1))
    query[..., -1] = 2
    keys[1::2] = keys[::2]
    keys[::2, -1:], keys[1::2, -1:] = 0, np.log(ratio)
    values[::2] += 1_000_000
    values[1::2] -= 1_000_000 / ratio
    return inputs


def rounded(inputs):
    return {name: np.round(x, 1) for name, x in inputs.items()}


def small_numbers(inputs):
    """Scores from small keys, and small values; the second key and the first column of the values
    are 0, and most dot products are below 1e-4. Powers of two round nothing.
    """
    query, keys, values = inputs.values()
    products = np.resize([2, 0, 9e-5, -7e-5, 8e-5, -2], len(keys))
    query[0] = 0
    keys -= np.outer(keys @ query - products, query) / (query @ query)
    keys[1] = 0
    values[:, 0], values[:, -1] = 0, values[:, -1] / 2**4
    return {"query": query * 2**10, "keys": keys / 2**10, "values": values / 2**12}


def large_numbers(inputs):
    """Large keys and values. One key scores 10 more than the others and has the value 0, so that
    the output is made of weights below 1e-4. Powers of two round nothing.
    """
    query, keys, values = inputs.values()
    keys /= 8
    keys[0], values[0] = 10 * len(query) ** 0.5 * query / (query @ query), 0
    return {"query": query / 2**16, "keys": keys * 2**16, "values": values * 2**16}


def nearly_equal_weights(inputs):
    """Small scores: among many keys every weight is small too, and its sixth decimal counts. Each
    of the last keys equals an earlier one.
    """
    inputs["keys"][200:] = inputs["keys"][: len(inputs["keys"]) - 200]
    return inputs | {"query": inputs["query"] / 2**3}


def best_at_the_end(rng, n):
    """Two keys that count, one in the middle and one at the end, and thousands of faint ones, whose
    weights are each below a millionth. Together these weigh a thousandth, and have large values.
    """
    inputs = query_keys_values(rng, n, 4, 3)
    query, keys, values = inputs.values()
    query[0], keys[:, 1:] = 2, keys[:, 1:] / 16
    keys[:, 0], values[:, 0] = -14, values[:, 0] + 1000
    best = [n // 2, n - 1]
    keys[best, 0], values[best, 0] = [-0.5, 0], [1, -1]
    return inputs


def cases(rng):
    yield Case(
        "three keys",
        inputs=rounded(query_keys_values(rng, 3, 2, 4)),
        sample=True,
        note="The plain definition.",
    )
    yield Case(
        "five words",
        inputs=rounded(query_keys_values(rng, 5, 3, 2)),
        sample=True,
        labels=("The", "cat", "sat", "on", "mats"),
        note="One query reads a sentence of five words.",
    )
    yield Case(
        "six keys",
        inputs=small_numbers(query_keys_values(rng, 6, 4, 3)),
        note="Values narrower than keys.",
    )
    yield Case(
        "wide vectors",
        inputs=large_numbers(query_keys_values(rng, 7, 64, 5)),
        note="64 dimensions.",
    )
    yield Case(
        "a long memory",
        inputs=nearly_equal_weights(query_keys_values(rng, 257, 8, 6)),
        note="257 keys, and some of them occur twice, with other values.",
    )
    yield Case(
        "as many keys as dimensions",
        inputs=query_keys_values(rng, 5, 5, 5),
        rule=EQUAL,
        same="n = d = dv, so that no shape tells its axes apart",
        note="keys and values are square matrices.",
    )
    yield Case(
        "one key",
        inputs=query_keys_values(rng, 1, 4, 3),
        rule=ONE,
        note="n = 1: the only key there is gets all the attention.",
    )
    yield Case(
        "vectors of one number",
        inputs=query_keys_values(rng, 4, 1, 1),
        rule=ONE,
        same="the narrowest vectors there are: d = dv = 1",
        note="d = dv = 1.",
    )
    yield Case(
        "keys of one number",
        inputs=query_keys_values(rng, 5, 1, 3),
        rule=ONE,
        note="d = 1, and the values are wider.",
    )
    yield Case(
        "scores up to 10 000",
        inputs=large_scores(rng, 4, 1),
        rule=LARGE,
        note="Every score is very large.",
    )
    yield Case(
        "scores down to -10 000",
        inputs=large_scores(rng, 16, -1),
        rule=LARGE,
        note="Every score is very large and negative.",
    )
    yield Case(
        "scores from -10 000 to 10 000",
        inputs=far_apart(rng),
        rule=LARGE,
        note="Very large scores of both signs, the best two near each other.",
    )
    yield Case(
        "one key with a large score",
        inputs=one_large_score(rng),
        rule=LARGE,
        note="However large its score is, the only key gets all the attention.",
    )
    faint = query_keys_values(rng, 13, 4, 6)
    faint["query"][0], faint["keys"][:, 0] = 8, -10
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
        "float64, one key",
        inputs=query_keys_values(rng, 1, 5, 3, dtype=np.float64),
        rule=PRECISION,
        note="The only key there is, in float64.",
    )
    yield Case(
        "inputs afterwards",
        inputs=query_keys_values(rng, 5, 4, 3, dtype=np.float64),
        wants=("after.query", "after.keys", "after.values"),
        rule=ALONE,
        note="The caller goes on using all three. Only they are looked at. All are float64.",
    )
    yield Case(
        "read-only inputs",
        inputs=query_keys_values(rng, 9, 3, 4),
        layout={"query": "readonly", "keys": "readonly", "values": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=query_keys_values(rng, 4, 6, 3),
        layout={"query": "strided", "keys": "strided", "values": "readonly"},
        rule=VIEWS,
        note="query and keys have gaps between their entries; in NumPy, values is read-only.",
    )
    yield Case(
        "transposed matrices",
        inputs=query_keys_values(rng, 6, 5, 4),
        layout={"keys": "transposed", "values": "transposed"},
        rule=VIEWS,
        note="keys and values lie in memory column by column, without gaps, as a transposition leaves them.",
    )
    yield Case(
        "a second call",
        inputs=query_keys_values(rng, 8, 5, 2),
        before=query_keys_values(rng, 8, 5, 2),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    same_query = query_keys_values(rng, 9, 4, 3)
    yield Case(
        "a second call with the same query",
        inputs=same_query,
        before=query_keys_values(rng, 9, 4, 3) | {"query": same_query["query"]},
        rule=NO_MEMORY,
        note="The query is that of the first call; the keys and the values are others.",
    )
    yield Case(
        "thousands of faint keys",
        inputs=best_at_the_end(rng, 2503),
        note="Each of the faint keys weighs nearly nothing, and all together something. The best key is the last.",
    )


def domain(rng):
    """Any sizes, scaled scores from -10 000 to 10 000, equal ones too, both dtypes."""
    for number in range(70):
        n, d, dv = rng.choice([1, 1, 2, 3, 5], 3)
        q, k = up_to_the_ends(rng, rng.standard_normal((1, d)), rng.standard_normal((n, d)))
        inputs = {"query": q[0], "keys": k, "values": 3 * rng.standard_normal((n, dv))}
        dtype = rng.choice([np.float32, np.float64])
        yield Case(str(number), inputs={name: x.astype(dtype) for name, x in inputs.items()})


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
