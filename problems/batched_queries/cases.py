import numpy as np

from grader.case import Case

EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
LARGE = "Large scores"
COST = "Costs little for many queries"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"


def draw(rng, *shape, spread=1.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def queries_keys_values(rng, b, n, d, dv, dtype=np.float32):
    """The scaled scores of each query have a spread of about 2: its length is fixed, so that it
    never depends on luck.
    """
    queries = rng.standard_normal((b, d))
    queries *= 2 * d**0.5 / np.linalg.norm(queries, axis=1, keepdims=True)
    return {
        "queries": queries.astype(dtype),
        "keys": draw(rng, n, d, dtype=dtype),
        "values": draw(rng, n, dv, dtype=dtype),
    }


def large_scores(rng):
    """The scores of query 0 are 10 000 and 9997, those of query 1 -10 000 and -9997; query 2 scores
    as usual. The two are near enough to show where scores are cut off.
    """
    inputs = queries_keys_values(rng, 3, 2, 16, 5)
    inputs["queries"][:2] = 0
    inputs["queries"][:, 0] = [400, -400, 0]
    inputs["keys"][:, 0] = rng.permutation([100, 99.97])
    return inputs


def far_apart(rng):
    """Rows of scores from -10 000 to 10 000, thousands apart. The key in the middle gets no attention
    at all: its values, near 2 ** 30, show the least that it gets.
    """
    inputs = queries_keys_values(rng, 2, 3, 9, 5)
    inputs["queries"][:] = 0
    inputs["queries"][:, 0] = [300, -300]
    inputs["keys"][:, 0] = rng.permutation([100, 30, -100])
    inputs["values"][inputs["keys"][:, 0] == 30] *= 2**30
    return inputs


def one_low_score(rng):
    """One key, with scaled scores near -9900, -5000 and -125: no score is above 0."""
    inputs = queries_keys_values(rng, 3, 1, 4, 5)
    inputs["queries"][:] = 0
    inputs["queries"][:, 0] = rng.permutation([-198, -100, -2.5])
    inputs["keys"][:, 0] = 100
    return inputs


def scores_cancel(rng):
    """float64 inputs whose scores are ordinary sums of terms of a million: float32 keeps one or two
    digits of them.
    """
    inputs = queries_keys_values(rng, 3, 7, 5, 4, dtype=np.float64)
    queries, keys, _ = inputs.values()
    queries[:, 0] = 1000 + 100 * rng.standard_normal(3)
    queries[:, 1] = queries[:, 0] + 0.002 * rng.standard_normal(3)
    keys[:, 0] = 1000 + 100 * rng.standard_normal(7)
    keys[:, 1] = 0.004 * rng.standard_normal(7) - keys[:, 0]
    return inputs


def values_cancel(rng):
    """float64 inputs with keys in pairs, of which the second has `ratio` times the weight of the
    first, and values near a million that cancel: ordinary outputs, of which float32 keeps one digit.
    The root of 4 is exact in every dtype.
    """
    inputs = queries_keys_values(rng, 5, 6, 4, 3, dtype=np.float64)
    queries, keys, values = inputs.values()
    ratio = rng.uniform(1.5, 3, (3, 1))
    queries[..., -1] = 2
    keys[1::2] = keys[::2]
    keys[::2, -1:], keys[1::2, -1:] = 0, np.log(ratio)
    values[::2] += 1_000_000
    values[1::2] -= 1_000_000 / ratio
    return inputs


def rounded(inputs):
    return {name: np.round(x, 1) for name, x in inputs.items()}


def small_numbers(inputs):
    """Scores as before from small keys, and small values; one query, one key and one column of the
    values are 0, and the dot products of one query are below 1e-4. Powers of two round nothing.
    """
    queries, keys, values = inputs.values()
    queries[1], queries[0, 0] = 0, 0
    keys[1], keys[0, 1] = 0, keys[0, 1] / 2**6
    queries[2] *= 9e-5 / np.abs(keys @ queries[2]).max()
    values[:, 0], values[:, -1] = 0, values[:, -1] / 2**4
    return {"queries": queries * 2**10, "keys": keys / 2**10, "values": values / 2**12}


def large_numbers(inputs):
    """Large keys and values. One key scores 10 more than the others and has the value 0, so that
    the output is made of weights below 1e-4. Powers of two round nothing.
    """
    queries, keys, values = inputs.values()
    queries /= 8
    queries[:, 0], keys[:, 0], keys[1], values[1] = 2, 0, 0, 0
    keys[1, 0] = 5 * keys.shape[1] ** 0.5
    return {"queries": queries / 2**16, "keys": keys * 2**16, "values": values * 2**16}


def lifted(inputs, height):
    """All scaled scores higher by a height that softmax ignores, and exp can take in float32."""
    queries, keys, _ = inputs.values()
    queries[:, 0], keys[:, 0] = 4, height / 4 * keys.shape[1] ** 0.5
    return inputs


def cases(rng):
    yield Case(
        "two queries, three keys",
        inputs=rounded(queries_keys_values(rng, 2, 3, 4, 1)),
        sample=True,
        note="The plain definition.",
    )
    yield Case(
        "two readers of five words",
        inputs=rounded(queries_keys_values(rng, 2, 5, 3, 4)),
        sample=True,
        labels=("The", "cat", "sat", "on", "mats"),
        note="Two queries read the same sentence of five words.",
    )
    yield Case(
        "four queries, six keys",
        inputs=large_numbers(queries_keys_values(rng, 4, 6, 8, 3)),
        layout={"queries": "transposed", "values": "transposed"},
        note="Fewer queries than keys.",
    )
    yield Case(
        "more queries than keys",
        inputs=small_numbers(queries_keys_values(rng, 9, 2, 4, 5)),
        note="Nine queries share two keys.",
    )
    yield Case(
        "1 009 queries",
        inputs=queries_keys_values(rng, 1_009, 211, 5, 3),
        note="Prime numbers of queries and of keys, which no block size divides.",
    )
    yield Case(
        "as many queries as keys",
        inputs=queries_keys_values(rng, 5, 5, 4, 3),
        rule=EQUAL,
        same="b = n, so that the weights are a square matrix",
        note="The shape of the weights does not tell its axes apart.",
    )
    yield Case(
        "as many keys as dimensions",
        inputs=queries_keys_values(rng, 5, 5, 5, 5),
        rule=EQUAL,
        same="b = n = d = dv, so that no shape tells its axes apart",
        note="All matrices are square.",
    )
    yield Case(
        "one query",
        inputs=queries_keys_values(rng, 1, 5, 4, 3),
        rule=ONE,
        note="b = 1: a batch of one is still a batch.",
    )
    yield Case(
        "one key",
        inputs=queries_keys_values(rng, 3, 1, 4, 5),
        rule=ONE,
        note="n = 1: the only key there is gets all the attention.",
    )
    yield Case(
        "vectors of one number",
        inputs=queries_keys_values(rng, 2, 3, 1, 1),
        rule=ONE,
        same="the narrowest vectors there are: d = dv = 1",
        note="d = dv = 1.",
    )
    yield Case(
        "scores up to 10 000",
        inputs=large_scores(rng),
        rule=LARGE,
        note="A row of scores next to 10 000, one next to -10 000, and an ordinary one.",
    )
    yield Case(
        "scores from -10 000 to 10 000",
        inputs=far_apart(rng),
        rule=LARGE,
        note="Very large scores of both signs in one row.",
    )
    yield Case(
        "one key with low scores",
        inputs=one_low_score(rng),
        rule=LARGE,
        note="However low its score is, the only key gets all the attention.",
    )
    yield Case(
        "65 537 queries",
        inputs=queries_keys_values(rng, 65_537, 12, 5, 3),
        cpu_factor=10,
        rule=COST,
        note="So many queries that they must be worked on together.",
    )
    yield Case(
        "float64, one key",
        inputs=queries_keys_values(rng, 4, 1, 7, 2, dtype=np.float64),
        rule=PRECISION,
        note="The only key there is, in double precision.",
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
        inputs=queries_keys_values(rng, 3, 5, 4, 2, dtype=np.float64),
        wants=("after.queries", "after.keys", "after.values"),
        rule=ALONE,
        note="The caller goes on using all three. Only they are looked at. All are float64.",
    )
    yield Case(
        "read-only inputs",
        inputs=queries_keys_values(rng, 5, 3, 4, 2),
        layout={"queries": "readonly", "keys": "readonly", "values": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=queries_keys_values(rng, 6, 4, 5, 3),
        layout={"queries": "strided", "keys": "strided", "values": "readonly"},
        rule=VIEWS,
        note="queries and keys have gaps between their entries; in NumPy, values is read-only.",
    )
    yield Case(
        "a second call",
        inputs=lifted(queries_keys_values(rng, 3, 8, 5, 2), -40),
        before=lifted(queries_keys_values(rng, 3, 8, 5, 2), 40),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers: its scores are far lower.",
    )


def domain(rng):
    """Any sizes, scaled scores from -10 000 to 10 000, equal ones too, both dtypes."""
    for number in range(70):
        b, n, d, dv = rng.choice([1, 1, 2, 3, 5], 4)
        q, k = up_to_the_ends(rng, rng.standard_normal((b, d)), rng.standard_normal((n, d)))
        inputs = {"queries": q, "keys": k, "values": 3 * rng.standard_normal((n, dv))}
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
