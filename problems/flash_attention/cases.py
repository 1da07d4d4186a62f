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
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"

# Where a case checks neither the block size nor large scores, the block size divides the numbers
# of queries and keys.


def draw(rng, *shape, spread=1.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def qkv(rng, n_queries, n_keys, d, dv, lead=(), dtype=np.float32):
    """Queries, keys and values whose scaled scores have a spread of about 2."""
    return {
        "q": draw(rng, *lead, n_queries, d, spread=1.6, dtype=dtype),
        "k": draw(rng, *lead, n_keys, d, spread=1.3, dtype=dtype),
        "v": draw(rng, *lead, n_keys, dv, dtype=dtype),
    }


def rounded(inputs):
    return {name: np.round(x, 1) + np.float32(0) for name, x in inputs.items()}


def rising_keys(rng):
    """Each block of two keys scores higher than the one before it with the first three queries,
    and lower with the others.
    """
    inputs = qkv(rng, 6, 8, 3, 5)
    q, k, _ = inputs.values()
    q[:, 0] = 4.4 * np.repeat([1, -1], 3)
    k[:, 0] = np.repeat([-3, -1, 1, 3], 2) + draw(rng, 8, spread=0.3)
    return inputs


def ladder(rng, n_queries, n_keys, d, dv, rows, columns):
    """Scaled scores of about 100 * rows[i] * columns[j], hundreds apart, so each row has one
    clear winner.
    """
    inputs = qkv(rng, n_queries, n_keys, d, dv)
    q, k, _ = inputs.values()
    q *= np.float32(0.1)
    k *= np.float32(0.1)
    q[:, 0] = 100 * np.array(rows)
    k[:, 0] = np.sqrt(d) * np.array(columns)
    return inputs


def scores_cancel(rng):
    """float64 inputs whose scores are ordinary sums of terms of a million: float32 keeps one or two
    digits of them.
    """
    inputs = qkv(rng, 3, 9, 5, 4, dtype=np.float64)
    q, k, _ = inputs.values()
    q[:, 0] = 1000 + 100 * rng.standard_normal(3)
    q[:, 1] = q[:, 0] + 0.002 * rng.standard_normal(3)
    k[:, 0] = 1000 + 100 * rng.standard_normal(9)
    k[:, 1] = 0.004 * rng.standard_normal(9) - k[:, 0]
    return inputs


def values_cancel(rng):
    """float64 inputs in pairs: the weight of the second key is `ratio` times that of the first, and
    values near 100 000 cancel, to ordinary outputs of which float32 keeps two digits. One pair lies
    in two blocks of 3.
    """
    inputs = qkv(rng, 7, 6, 5, 4, dtype=np.float64)
    q, k, v = inputs.values()
    ratio = rng.uniform(1.5, 3, (3, 1))
    k[1::2] = k[::2]
    q[:, -1], k[::2, -1:], k[1::2, -1:] = np.sqrt(5), 0, np.log(ratio)
    v[::2] += 100_000
    v[1::2] -= 100_000 / ratio
    return inputs


def large_numbers(inputs):
    """Scores as before from large keys, and large values. Powers of two round nothing."""
    q, k, v = inputs.values()
    return {"q": q / 2**16, "k": k * 2**16, "v": v * 2**16}


def loud_and_faint(inputs):
    """Of three blocks of two keys the last one scores 12.5 above the second, whose values are 16 384
    times as large: what is rescaled by less than 1e-4 counts. The first one scores a little above the
    second for every other query, and a little below it for the rest.
    """
    q, k, v = inputs.values()
    k *= np.float32(0.25)
    q[:, 0], q[:, 1] = 5, np.resize([2, -2], len(q))
    k[:, :2] = np.sqrt(k.shape[1]) * np.repeat([[0, 0.75], [0, 0], [2.5, 0]], 2, axis=0)
    v[:4] *= 2.0**14
    return inputs


def last_above_all(inputs):
    """For the first two queries all keys score alike but the last, which scores 20 above them: their
    sum is long when it is rescaled by 1e-9.
    """
    q, k, _ = inputs.values()
    q[:2] *= np.float32(0.1)
    q[:2, 0] = 10
    k[:-1, 0], k[-1, 0] = 0, 2 * np.sqrt(k.shape[1])
    return inputs


def small_numbers(inputs):
    """Scores as before from small keys, and small values; one query and one key are 0."""
    q, k, v = inputs.values()
    q[..., 1, :], k[..., 2, :] = 0, 0
    v[..., 0] = 0
    return {"q": q * 2**10, "k": k / 2**10, "v": v / 2**12}


def cases(rng):
    yield Case(
        "two queries, four keys",
        inputs=rounded(qkv(rng, 2, 4, 3, 5)),
        options={"block_size": 2},
        sample=True,
        note="The plain definition, in two blocks.",
    )
    yield Case(
        "four words, causal",
        inputs=rounded(qkv(rng, 4, 4, 3, 2)),
        options={"block_size": 2, "causal": True},
        sample=True,
        rule=ALIGNED,
        labels=("The", "cat", "sat", "down"),
        same="the words of one sentence attend to each other: L = S",
        note="Each word sees itself and the words before it.",
    )
    yield Case(
        "a smaller last block",
        inputs=rounded(qkv(rng, 4, 3, 5, 2)),
        options={"block_size": 2},
        sample=True,
        rule=ANY_BLOCK,
        note="Two keys, and then one that is left over.",
    )
    yield Case(
        "six keys in three blocks",
        inputs=large_numbers(loud_and_faint(qkv(rng, 4, 6, 5, 3))),
        options={"block_size": 2},
        layout={"q": "transposed", "v": "transposed"},
        note="Larger numbers. The last block has nearly all the weight, and small values.",
    )
    yield Case(
        "nine keys in three blocks",
        inputs=small_numbers(qkv(rng, 9, 9, 4, 7)),
        options={"block_size": 3},
        same="as many queries as keys, and nobody said that the future is hidden",
        note="Small values; one query and one key are 0. There are as many queries as keys, and each query sees them all.",
    )
    yield Case(
        "scores that rise and fall",
        inputs=rising_keys(rng),
        options={"block_size": 2},
        note="For half of the queries each block brings a new maximum; for the others none does.",
    )
    yield Case(
        "one block",
        inputs=qkv(rng, 3, 7, 5, 4),
        options={"block_size": 7},
        rule=ANY_BLOCK,
        note="All keys in a single block.",
    )
    yield Case(
        "a block larger than everything",
        inputs=qkv(rng, 5, 3, 4, 6),
        options={"block_size": 64},
        rule=ANY_BLOCK,
        note="There are fewer keys than fit into a block.",
    )
    yield Case(
        "causal, a block larger than everything",
        inputs=qkv(rng, 5, 6, 4, 3),
        options={"block_size": 64, "causal": True},
        rule=ANY_BLOCK,
        note="All keys lie in one block, and the future is hidden all the same.",
    )
    yield Case(
        "blocks of one key",
        inputs=qkv(rng, 3, 5, 6, 4),
        options={"block_size": 1, "causal": True},
        rule=ANY_BLOCK,
        note="The keys are looked at one by one.",
    )
    yield Case(
        "1009 keys in blocks of 64",
        inputs=last_above_all(qkv(rng, 7, 1009, 6, 5)),
        options={"block_size": 64},
        rule=ANY_BLOCK,
        note="A prime number of keys, which no block size divides. For two queries the last key outweighs all the others.",
    )
    yield Case(
        "causal, blocks that do not divide",
        inputs=qkv(rng, 7, 9, 5, 3),
        options={"block_size": 4, "causal": True},
        rule=ANY_BLOCK,
        note="The last block is smaller, and the newest queries see it.",
    )
    square = qkv(rng, 8, 8, 5, 3)
    square["k"][3] = 0  # its scores are 0, whatever is asked
    yield Case(
        "causal",
        inputs=square,
        options={"block_size": 2, "causal": True},
        rule=ALIGNED,
        same="as many queries as keys, as in the training of a decoder",
        note="As many queries as keys.",
    )
    yield Case(
        "causal, fewer queries than keys",
        inputs=qkv(rng, 144, 160, 6, 5),
        options={"block_size": 16, "causal": True},
        rule=ALIGNED,
        note="The queries are the last 144 positions, as when a text is read on with a cache.",
    )
    yield Case(
        "causal, more queries than keys",
        inputs=qkv(rng, 9, 6, 5, 4),
        options={"block_size": 3, "causal": True},
        rule=NOTHING,
        note="Aligned to the end, the first queries come before every key.",
    )
    yield Case(
        "a batch, more queries than keys",
        inputs=qkv(rng, 6, 4, 5, 3, lead=(2,)),
        options={"block_size": 2, "causal": True},
        rule=NOTHING,
        note="The first two queries of each example come before every key.",
    )
    yield Case(
        "causal, one key",
        inputs=qkv(rng, 4, 1, 5, 3),
        options={"block_size": 1, "causal": True},
        rule=NOTHING,
        note="S = 1: only the last query sees the key.",
    )
    yield Case(
        "batch and heads",
        inputs=qkv(rng, 4, 6, 5, 7, lead=(2, 3)),
        options={"block_size": 2},
        layout={"q": "strided"},
        rule=LEADING,
        note="Two leading sizes. q is a view, as a transposition makes it.",
    )
    yield Case(
        "documents, batch and heads",
        inputs=qkv(rng, 5, 7, 4, 6, lead=(2, 3, 2)),
        options={"block_size": 3},
        rule=LEADING,
        note="Three leading sizes.",
    )
    yield Case(
        "batch and heads, causal",
        inputs=qkv(rng, 4, 8, 5, 7, lead=(2, 3)),
        options={"block_size": 4, "causal": True},
        rule=LEADING,
        note="Two leading sizes, and no look ahead.",
    )
    yield Case(
        "a batch of one",
        inputs=qkv(rng, 4, 6, 5, 3, lead=(1,)),
        options={"block_size": 2},
        rule=LEADING,
        note="A batch of one is still a batch.",
    )
    yield Case(
        "one query",
        inputs=qkv(rng, 1, 5, 4, 3),
        options={"block_size": 1},
        rule=ONE,
        note="L = 1: one row of output.",
    )
    yield Case(
        "one key",
        inputs=qkv(rng, 3, 1, 4, 2),
        options={"block_size": 1},
        rule=ONE,
        note="S = 1: the only key there is gets all the attention.",
    )
    yield Case(
        "vectors of one number",
        inputs=qkv(rng, 4, 6, 1, 1),
        options={"block_size": 2},
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1.",
    )
    yield Case(
        "scores that rise and fall by thousands",
        inputs=ladder(rng, 4, 6, 3, 5, (1, -1, 0.5, -0.4), (-99, -60, -20, 30, 70, 100)),
        options={"block_size": 2},
        rule=LARGE,
        note="From -10 000 to 10 000 and the other way round, block by block.",
    )
    yield Case(
        "scores that rise by nearly a hundred",
        inputs=ladder(
            rng, 3, 8, 4, 5, (1, -1, 1.04), (-1.5, -1.49, -0.6, -0.5, 0.3, 0.44, 1.4, 1.39)
        ),
        options={"block_size": 2},
        rule=LARGE,
        note="Each block brings scores about 92 above those before it, or below: exp cannot take that.",
    )
    yield Case(
        "all scores near -10 000",
        # the first key of a block wins: a mistake that loses these keys cannot be right by chance
        inputs=ladder(rng, 2, 6, 4, 3, (-1, -0.9), np.insert(rng.permutation(5) + 96.0, 2, 95.0)),
        options={"block_size": 2},
        rule=LARGE,
        note="Every score is low, and one of them is still the largest.",
    )
    yield Case(
        "low scores and a smaller last block",
        inputs=ladder(rng, 3, 5, 4, 2, (-1, -0.9, -0.8), rng.permutation(5) + 95.0),
        options={"block_size": 2},
        rule=LARGE,
        note="Every score is thousands below 0, and the last block has one key.",
    )
    yield Case(
        "the only visible key scores -10 000",
        inputs=ladder(rng, 4, 4, 3, 5, (1, 1, 1, 1), [-100, *rng.permutation([60, 80, 100])]),
        options={"block_size": 2, "causal": True},
        rule=LARGE,
        same="the first query sees a single key: L = S",
        note="The first query sees one key, with a very low score; the future scores high.",
    )
    yield Case(
        "65537 keys",
        inputs=qkv(rng, 509, 65537, 5, 4),
        options={"block_size": 500},
        memory_mib=64,
        cpu_factor=10,
        rule=COST,
        note="Many keys and little memory.",
    )
    yield Case(
        "float64, scores that cancel",
        inputs=scores_cancel(rng),
        options={"block_size": 3},
        rule=PRECISION,
        note="Each score is what is left when large terms cancel.",
    )
    yield Case(
        "float64, values that cancel",
        inputs=values_cancel(rng),
        options={"block_size": 3},
        rule=PRECISION,
        note="Large values cancel in the output, and what is left needs their last digits.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=qkv(rng, 2, 6, 4, 5),
            options={"block_size": 2},
            wants=("after.q", "after.k", "after.v"),
            rule=ALONE,
            note="The caller goes on using q, k and v. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=qkv(rng, 6, 4, 3, 5),
        options={"block_size": 2},
        layout={"q": "readonly", "k": "readonly", "v": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=qkv(rng, 8, 6, 5, 7, lead=(2, 3)),
        options={"block_size": 2},
        layout={"q": "strided", "k": "strided", "v": "strided"},
        rule=VIEWS,
        note="The inputs have gaps between their entries, as slicing makes them.",
    )
    yield Case(
        "a second call",
        inputs=qkv(rng, 4, 8, 6, 5),
        before=qkv(rng, 4, 8, 6, 5),
        options={"block_size": 2},
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield Case(
        "every score near -40",
        inputs=ladder(
            rng,
            5,
            8,
            3,
            4,
            (1, 0.98, 1.02, 0.97, 1.01),
            (-0.4, -0.41, -0.39, -0.42, -0.38, -0.37, -0.395, -0.405),
        ),
        options={"block_size": 2},
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    texts = [
        ladder(rng, 3, 8, 4, 5, (size, -size, 0.9 * size), rng.permutation(8) - 40.0)
        for size in (1, 0.01)
    ]
    yield Case(
        "a batch of loud and quiet texts",
        inputs={name: np.stack([text[name] for text in texts]) for name in "qkv"},
        options={"block_size": 2},
        rule=LARGE,
        note="The scores of one example are thousands, those of the other are ordinary.",
    )
    newest = values_cancel(rng)
    newest["q"] = newest["q"][-1:]
    yield Case(
        "float64, values that cancel, causal",
        inputs=newest,
        options={"block_size": 3, "causal": True},
        rule=PRECISION,
        note="Double precision once more, in one step of decoding: the newest position looks back at all.",
    )


def domain(rng):
    """Any sizes and blocks, causal or not, scaled scores from -10 000 to 10 000."""
    for number in range(80):
        n_queries, n_keys, d, dv = (int(n) for n in rng.choice([1, 1, 2, 3, 5], 4))
        lead = tuple(rng.choice([1, 2, 3], rng.integers(0, 3)))
        inputs = qkv(rng, n_queries, n_keys, d, dv, lead, np.float64)
        q, k, v = inputs.values()
        if number % 4 == 0:
            q, k = np.round(q), np.round(k)
        if number % 4 == 1:
            k = k + 30
        largest = np.abs(q @ k.swapaxes(-2, -1)).max() / np.sqrt(d)
        if number % 3 == 0:
            q = q * min(1e3, rng.choice([0.1, 30, 1000, 9_990]) / max(largest, 1e-3))
        dtype = rng.choice([np.float32, np.float64])
        yield Case(
            str(number),
            inputs={name: x.astype(dtype) for name, x in zip("qkv", (q, k, 3 * v), strict=True)},
            options={"block_size": int(rng.integers(1, 7)), "causal": bool(rng.integers(2))},
        )
