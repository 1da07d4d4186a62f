import math

import numpy as np

from grader.case import Case, in_float64

ANY_BLOCK = "Any block size gives the same answer"
ALIGNED = "Causal is aligned to the end"
NOTHING = "A query that sees nothing gets zeros"
LEADING = "Any number of leading sizes"
ONE = "Any size may be one"
LARGE = "Large scores"
COST = "Costs little for long sequences"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views"
NO_MEMORY = "Remembers nothing between calls"
NAMES = ("q", "k", "v", "output", "logsumexp", "grad_output")
QUERIES_AT_ONCE = 16

# Where a case checks neither the block size nor large scores, the block size divides the numbers
# of queries and keys.


def draw(rng, n_queries, n_keys, d, dv, lead=(), dtype=np.float32):
    """q, k, v and grad_output. Scaled scores have a spread of about 1.5, gradients a mean."""
    sizes = ((n_queries, d), (n_keys, d), (n_keys, dv), (n_queries, dv))
    arrays = [rng.standard_normal((*lead, *size)) for size in sizes]
    arrays[0] *= 1.5
    arrays[3] += 0.5
    return [x.astype(dtype) for x in arrays]


def rounded(arrays):
    return [np.round(x, 1) + np.float32(0) for x in arrays]


def quarters(arrays):
    """Products of these numbers are exact, and so are their sums: with one key no score has a
    gradient, not even one left by rounding.
    """
    return [np.round(x * 4) / np.float32(4) for x in arrays]


def first_value_zero(arrays):
    arrays[2][0] = 0
    return arrays


def blank_query(arrays):
    arrays[0][5] = 0
    return arrays


def with_forward(arrays, causal=False):
    """All six arrays: the output and the log-sum-exp are worked out in float64, some queries at a
    time.
    """
    q, k, v, grad = arrays
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    wide, keys, values = q.astype(np.float64), k.astype(np.float64), v.astype(np.float64)
    output = np.zeros(grad.shape)
    logsumexp = np.full(q.shape[:-1], -np.inf)
    for start in range(0, n_queries, QUERIES_AT_ONCE):
        rows = slice(start, start + QUERIES_AT_ONCE)
        scores = wide[..., rows, :] @ keys.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
        if causal:
            positions = np.arange(n_queries)[rows, None] + n_keys - n_queries
            scores[..., np.arange(n_keys) > positions] = -np.inf
        top = scores.max(axis=-1, keepdims=True)
        weights = np.exp(scores - np.where(np.isneginf(top), 0, top))
        total = weights.sum(axis=-1, keepdims=True)
        output[..., rows, :] = weights @ values / np.where(total == 0, 1, total)
        seen = total[..., 0] > 0
        logsumexp[..., rows][seen] = top[..., 0][seen] + np.log(total[..., 0][seen])
    found = (q, k, v, output.astype(q.dtype), logsumexp.astype(q.dtype), grad)
    return dict(zip(NAMES, found, strict=True))


def case(name, arrays, block_size, causal=False, before=None, **rest):
    """A case whose forward pass was causal where the backward pass is."""
    return Case(
        name,
        inputs=with_forward(arrays, causal),
        before={} if before is None else with_forward(before, causal),
        options={"block_size": block_size, **({"causal": True} if causal else {})},
        **rest,
    )


def raised(rng, n_queries, n_keys, d, dv, heights):
    """Row i of the scores has a common part of about 600 * heights[i], and ordinary differences. All
    products are exact in float32.
    """
    q, k, v, grad = draw(rng, n_queries, n_keys, d, dv)
    q, k = np.round(q * 4) / 4, np.round(k * 4) / 4
    k[:, 0] = 8
    q[:, 0] = np.round(np.sqrt(d) * 600 / 8) * np.array(heights)
    return q, k, v, grad


def far_apart(rng):
    """The scores of a row lie far apart, from -9 900 to 9 900 in the first: one key has all the
    weight, so only the values learn. The larger the scores, the more rounding moves the weights, so
    the gradients of the first row are smaller.
    """
    q, k, v, grad = draw(rng, 3, 4, 5, 2)
    q, k = q * np.float32(0.1), k * np.float32(0.1)
    ends, middle = rng.permutation([-99, 99]), rng.permutation([-60, 40])
    q[:, 0] = [100, -10, 7]
    k[:, 0] = np.sqrt(5) * np.stack([middle, ends], axis=1).ravel()  # the winners come second
    grad = np.sign(grad) * (8 + rng.random(grad.shape).astype(np.float32))
    grad[0] /= 8
    return q, k, v, grad


def low_first_key(rng):
    """The first query sees a single key, with a score of -10 000, and what is hidden scores high.
    Rounding moves that weight by a thousandth, so its gradients are smaller than those of the other
    queries, whose weights are alike.
    """
    q, k, v, grad = draw(rng, 4, 4, 10, 5)
    q[0], q[1:] = q[0] * np.float32(0.01), q[1:] * np.float32(0.3)
    q[:, 0] = [127.9, 0, 0, 0]
    k[:, 0] = np.sqrt(10) / 127.9 * np.array([-9_999.8, *rng.permutation([6_000, 8_000, 9_900])])
    grad = np.sign(grad) * (8 + rng.random(grad.shape).astype(np.float32))
    grad[0] /= 8
    return q, k, v, grad


def scores_cancel(rng):
    """float64 inputs whose scores are ordinary sums of terms of a million: float32 keeps one or two
    digits of them.
    """
    q, k, v, grad = draw(rng, 3, 9, 5, 4, dtype=np.float64)
    q[:, 0] = 1000 + 100 * rng.standard_normal(3)
    q[:, 1] = q[:, 0] + 0.002 * rng.standard_normal(3)
    k[:, 0] = 1000 + 100 * rng.standard_normal(9)
    k[:, 1] = 0.004 * rng.standard_normal(9) - k[:, 0]
    return q, k, v, grad


def equal_weights(rng):
    """float64 queries in pairs: the scores of the second are those of the first plus a constant, so
    their weights are equal and the log-sum-exps are not. Large gradients cancel in dv, to ordinary
    sums.
    """
    q, k, v, grad = draw(rng, 6, 9, 4, 7, dtype=np.float64)
    k[:, 0] = 2
    q[1::2, 1:] = q[::2, 1:]
    q[:, 0] = rng.uniform(1, 9, 6) * np.resize([1, -1], 6)
    grad[::2] += 1e6
    grad[1::2] -= 1e6
    return q, k, v, grad


def values_with_a_common_part(rng):
    """float64 values that have a large part in common, which no score's gradient can tell."""
    q, k, v, grad = draw(rng, 4, 6, 3, 5, dtype=np.float64)
    v += 1e6 * rng.uniform(1, 2, 5)
    return q, k, v, grad


def keys_with_a_common_part(rng):
    """float64 keys whose last numbers have a large part in common, which meets zeros in the
    queries: it cancels in dq.
    """
    q, k, v, grad = draw(rng, 3, 8, 5, 4, dtype=np.float64)
    q[:, -1] = 0
    k[:, -1] += 1e6 * rng.uniform(1, 2)
    return q, k, v, grad


def gradients_that_cancel(rng):
    """float64 gradients of equal queries, large and of opposite sign: ordinary sums for the keys
    and values.
    """
    q, k, v, grad = draw(rng, 6, 5, 4, 3, dtype=np.float64)
    q[1::2] = q[::2]
    grad[::2] += 1e6
    grad[1::2] -= 1e6
    return q, k, v, grad


def small_numbers(arrays):
    """Small gradients and keys; one query, one key, another key's value, a column of queries and one
    of keys and a gradient are 0. Powers of two round nothing.
    """
    q, k, v, grad = arrays
    q[1], k[2], v[4], q[:, 0], k[:, 1], grad[0, 0] = 0, 0, 0, 0, 0, 0
    return q * 2, k / 2, v, grad / 2**15


def large_numbers(arrays):
    """Scores as before from large keys, large values and gradients."""
    q, k, v, grad = arrays
    return q / 2**8, k * 2**8, v * 2**8, grad * 2**9


def loud_where_blind(arrays, blind):
    """The gradients of the first queries, which see nothing, are 1e30 in size: a weight that is not
    quite 0 shows.
    """
    grad = arrays[3]
    grad[..., :blind, :] = np.copysign(np.float32(1e30), grad[..., :blind, :])
    return arrays


def lifted(arrays, height):
    """All scores higher by a height that exp can take in float32."""
    q, k, v, grad = arrays
    q[:, 0], k[:, 0] = 4, height / 4 * np.sqrt(q.shape[1])
    return q, k, v, grad


def cases(rng):
    yield case(
        "two queries, four keys",
        rounded(draw(rng, 2, 4, 3, 5)),
        2,
        sample=True,
        note="The plain definition, in two blocks.",
    )
    yield case(
        "four words, causal",
        rounded(draw(rng, 4, 4, 5, 3)),
        2,
        causal=True,
        sample=True,
        rule=ALIGNED,
        labels=("The", "cat", "sat", "down"),
        same="the words of one sentence attend to each other: L = S",
        note="Each word sees itself and the words before it.",
    )
    yield case(
        "a smaller last block",
        rounded(draw(rng, 4, 3, 5, 2)),
        2,
        sample=True,
        rule=ANY_BLOCK,
        note="Two keys, and then one that is left over.",
    )
    yield case(
        "six keys in three blocks",
        large_numbers(draw(rng, 4, 6, 5, 3)),
        2,
        layout=dict.fromkeys(("q", "v", "output", "grad_output"), "transposed"),
        note="The plain definition on larger numbers.",
    )
    yield case(
        "nine keys in three blocks",
        small_numbers(draw(rng, 6, 9, 4, 7)),
        3,
        note="Small gradients; one query, one key and one value are 0.",
    )
    yield case(
        "a square of everything",
        draw(rng, 4, 4, 4, 4),
        2,
        same="L = S = D = Dv, so that a forgotten transposition has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield case(
        "one block",
        draw(rng, 3, 7, 5, 4),
        7,
        rule=ANY_BLOCK,
        note="All keys in a single block.",
    )
    yield case(
        "causal, a block larger than everything",
        draw(rng, 5, 6, 4, 3),
        64,
        causal=True,
        rule=ANY_BLOCK,
        note="There are fewer keys than fit into a block, and the future is hidden all the same.",
    )
    yield case(
        "blocks of one key",
        draw(rng, 3, 5, 6, 4),
        1,
        causal=True,
        rule=ANY_BLOCK,
        note="The keys are looked at one by one.",
    )
    yield case(
        "causal, blocks that do not divide",
        draw(rng, 7, 9, 5, 3),
        4,
        causal=True,
        rule=ANY_BLOCK,
        note="The last block is smaller, and the newest queries see it.",
    )
    yield case(
        "4099 keys in blocks of 600",
        draw(rng, 7, 4099, 6, 5),
        600,
        rule=ANY_BLOCK,
        note="A prime number of keys, which no block size divides.",
    )
    yield case(
        "causal",
        blank_query(first_value_zero(draw(rng, 8, 8, 5, 3))),
        2,
        causal=True,
        rule=ALIGNED,
        same="as many queries as keys, as in the training of a decoder",
        note="As many queries as keys. The first value is 0, and so is the first output: its query sees a key all the same. Another query is 0, and so are its scores.",
    )
    yield case(
        "causal, fewer queries than keys",
        draw(rng, 4, 10, 6, 5),
        2,
        causal=True,
        rule=ALIGNED,
        note="The queries are the last four positions, as in decoding with a cache.",
    )
    yield case(
        "causal, more queries than keys",
        loud_where_blind(draw(rng, 9, 6, 5, 4), 3),
        3,
        causal=True,
        rule=NOTHING,
        note="Aligned to the end, the first queries come before every key. Their gradients are enormous.",
    )
    yield case(
        "causal, four queries, one key",
        quarters(draw(rng, 4, 1, 5, 3)),
        1,
        causal=True,
        rule=NOTHING,
        note="S = 1: only the last query sees the key.",
    )
    yield case(
        "batch and heads",
        draw(rng, 4, 6, 5, 7, lead=(2, 3)),
        2,
        layout={"q": "strided"},
        rule=LEADING,
        note="Two leading sizes. q is a view, as a transposition makes it.",
    )
    yield case(
        "a batch, causal",
        draw(rng, 144, 160, 5, 3, lead=(2,)),
        16,
        causal=True,
        rule=LEADING,
        note="One leading size, no look ahead, and more than a hundred queries.",
    )
    yield case(
        "a batch of one",
        draw(rng, 4, 6, 5, 3, lead=(1,)),
        2,
        rule=LEADING,
        note="A batch of one is still a batch.",
    )
    yield case(
        "a batch of single queries",
        draw(rng, 1, 5, 6, 4, lead=(2,)),
        1,
        rule=LEADING,
        note="One leading size, and one query each, as in decoding.",
    )
    yield case(
        "one query",
        draw(rng, 1, 5, 4, 3),
        1,
        rule=ONE,
        note="L = 1: one row of weights.",
    )
    yield case(
        "one key",
        quarters(draw(rng, 3, 1, 4, 2)),
        1,
        rule=ONE,
        note="S = 1: its weight is 1 whatever the score is, so there is nothing to learn for q and k.",
    )
    yield case(
        "vectors of one number",
        draw(rng, 4, 6, 1, 1),
        2,
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1.",
    )
    yield case(
        "rows raised by hundreds",
        raised(rng, 4, 6, 3, 5, (1, -1, 0.5, -0.25)),
        2,
        rule=LARGE,
        note="All scores of a row are hundreds above 0 or hundreds below it, and differ as usual.",
    )
    yield case(
        "low scores and a smaller last block",
        raised(rng, 3, 5, 4, 2, (-1, -0.5, -0.25)),
        2,
        rule=LARGE,
        note="Every score is more than a hundred below 0, and the last block has one key.",
    )
    yield case(
        "scores far apart",
        far_apart(rng),
        2,
        wants=("dv",),
        rule=LARGE,
        note="From -9 900 to 9 900 in one row: one key has all the weight. Only dv is looked at here.",
    )
    yield case(
        "the only visible key scores -10 000",
        low_first_key(rng),
        2,
        causal=True,
        wants=("dv",),
        rule=LARGE,
        same="the first query sees a single key: L = S",
        note="The first query sees one key, with a very low score; the future scores high. Only dv is looked at here.",
    )
    yield case(
        "65537 keys",
        draw(rng, 383, 65537, 5, 4),
        500,
        memory_mib=160,  # kept small results leave holes between large ones: up to 140
        cpu_factor=10,
        rule=COST,
        note="Many keys and little memory.",
    )
    yield case(
        "float64, scores that cancel",
        scores_cancel(rng),
        3,
        causal=True,
        wants=("dv",),
        rule=PRECISION,
        note="Causal. Each score is what is left when large terms cancel. Only dv is looked at here.",
    )
    yield case(
        "float64, equal weights from unequal scores",
        equal_weights(rng),
        3,
        wants=("dv",),
        rule=PRECISION,
        note="Two queries have equal weights, from scores of other heights; their large gradients cancel in dv.",
    )
    yield case(
        "float64, values with a common part",
        values_with_a_common_part(rng),
        2,
        wants=("dq", "dk"),
        rule=PRECISION,
        note="What all values have in common is large and cancels in dq and dk.",
    )
    yield case(
        "float64, keys with a common part",
        keys_with_a_common_part(rng),
        2,
        wants=("dq",),
        rule=PRECISION,
        note="What all keys have in common is large and cancels in dq.",
    )
    yield case(
        "float64, gradients that cancel",
        gradients_that_cancel(rng),
        5,
        wants=("dk", "dv"),
        rule=PRECISION,
        note="Large gradients of equal queries cancel in dk and dv.",
    )
    yield in_float64(
        case(
            "inputs afterwards",
            draw(rng, 6, 4, 3, 5),
            2,
            causal=True,
            wants=tuple(f"after.{name}" for name in NAMES),
            rule=ALONE,
            note="The caller goes on using the six tensors, also where a query sees nothing. Only they are looked at here.",
        )
    )
    yield case(
        "views",
        draw(rng, 8, 6, 5, 3),
        2,
        layout=dict.fromkeys(NAMES, "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries, as slicing makes them.",
    )
    yield case(
        "a second call",
        lifted(draw(rng, 4, 8, 6, 5), -40),
        2,
        before=lifted(draw(rng, 4, 8, 6, 5), 40),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield case(
        "a batch, causal, more queries than keys",
        loud_where_blind(draw(rng, 8, 4, 5, 6, lead=(3,)), 4),
        2,
        causal=True,
        rule=LEADING,
        note="In each example the first queries come before every key. Their gradients are enormous.",
    )


def domain(rng):
    """Any sizes and blocks, causal or not, scaled scores from -10 000 to 10 000."""
    for number in range(80):
        n_queries, n_keys, d, dv = (int(n) for n in rng.choice([1, 1, 2, 3, 5], 4))
        lead = tuple(rng.choice([1, 2, 3], rng.integers(0, 3)))
        q, k, v, grad = draw(rng, n_queries, n_keys, d, dv, lead, np.float64)
        largest = np.abs(q @ k.swapaxes(-2, -1)).max() / np.sqrt(d)
        if number % 4 == 0:
            q = q * min(1e3, rng.choice([0.1, 30, 1000, 9_990]) / max(largest, 1e-3))
        dtype = rng.choice([np.float32, np.float64])
        yield case(
            str(number),
            [x.astype(dtype) for x in (q, k, v, grad)],
            int(rng.integers(1, 7)),
            causal=bool(rng.integers(2)),
        )
