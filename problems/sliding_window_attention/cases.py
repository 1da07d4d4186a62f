import numpy as np

from grader.case import Case, in_float64

BOTH_WAYS = "The window reaches equally far both ways"
ENDS = "Near the ends there are fewer neighbours"
WINDOWS = "Any window is allowed"
LEADING = "Any number of leading sizes"
ONE = "Any size may be one"
LARGE = "Large scores"
COST = "Costs little for long sequences"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def draw(rng, *shape, spread=1.0, dtype=np.float32):
    return (spread * rng.standard_normal(shape)).astype(dtype)


def qkv(rng, n, d, dv, lead=(), dtype=np.float32):
    """Queries, keys and values whose scaled scores have a spread of about 2."""
    return {
        "q": draw(rng, *lead, n, d, spread=1.6, dtype=dtype),
        "k": draw(rng, *lead, n, d, spread=1.3, dtype=dtype),
        "v": draw(rng, *lead, n, dv, dtype=dtype),
    }


def rounded(inputs):
    return {name: np.round(x, 1) + np.float32(0) for name, x in inputs.items()}


def ladder(rng, n, d, dv):
    """Scaled scores from -10 000 to 10 000, hundreds apart, so that most rows have one clear winner.
    In the middle the best two and the worst two are nearly equal: a choice of one key is wrong.
    """
    inputs = qkv(rng, n, d, dv)
    q, k, _ = inputs.values()
    q *= np.float32(0.1)
    k *= np.float32(0.1)
    q[:, 0] = rng.permutation(np.resize([100, -100, 60, -30], n))
    signs = rng.choice([-1, 1]) * (-1) ** np.arange(n)  # so each window has scores above 0
    sizes = rng.permutation(np.linspace(11, 77, n))
    middle = n // 2
    for pair, size in (((middle - 2, middle), 99), ((middle - 1, middle + 1), 88)):
        sizes[list(pair)] = rng.permutation([size, size - 0.015])
    k[:, 0] = np.sqrt(d) * signs * sizes
    return inputs


def near_the_bottom(rng, n, d, dv):
    """Every scaled score lies between -10 000 and -9 997, so that a key with a score of -10 000
    takes part; the first and the last key score lowest, so that nobody is right who takes them for
    neighbours that do not exist.
    """
    inputs = qkv(rng, n, d, dv)
    q, k, _ = inputs.values()
    q *= np.float32(0.1)
    k *= np.float32(0.1)
    q[:, 0] = -100
    steps = np.linspace(99.972, 99.996, n)
    ends = rng.permutation(steps[-2:])
    k[:, 0] = np.sqrt(d) * np.array([ends[0], *rng.permutation(steps[:-2]), ends[1]])
    return inputs


def loud_outside(rng, n, d, dv, window):
    """Far keys score up to 10 000 with the queries that do not see them, and what these see scores
    near -9 000, with ordinary differences. The products of what they see are exact in float32.
    """
    inputs = qkv(rng, n, d, dv)
    q, k, _ = inputs.values()
    q[:], k[:] = np.round(q * 4) / 4, np.round(k * 4) / 4
    half = n // 2 - window
    q[:half, 0] = 100
    k[: n // 2, 0] = -90 * np.sqrt(d)
    k[n // 2 :, 0] = np.sqrt(d) * np.float32(rng.uniform(80, 99))
    q[half:, 0] = 0
    return inputs


def loud_far_away(rng, n, d, dv, window):
    """The first queries see ordinary scores, and would score 200 more with the last keys, which they
    do not see. The exponential of that is too large for float32.
    """
    inputs = qkv(rng, n, d, dv)
    q, k, _ = inputs.values()
    half = n // 2 - window
    q[:half, 0], q[half:, 0] = 4, 0
    k[: n // 2, 0], k[n // 2 :, 0] = 0, 50 * np.sqrt(d)
    return inputs


def all_scores_low(rng, n, d, dv):
    """Every scaled score is -90, and all keys have the same value: what a solution does to the
    scores themselves does not show, but the exponential of 90 is too large for float32. Tiny values
    keep roundings out of the gradients that are zeros.
    """
    inputs = qkv(rng, n, d, dv)
    q, k, v = inputs.values()
    q[:] = 0
    q[:, 0] = -15
    k[:, 0] = 6 * np.sqrt(d)
    v[:] = v[0] / 2**20
    return inputs


def scores_cancel(rng):
    """float64 inputs whose scores are ordinary sums of terms of a million: float32 keeps one or two
    digits of them.
    """
    inputs = qkv(rng, 9, 5, 4, dtype=np.float64)
    q, k, _ = inputs.values()
    q[:, 0] = 1000 + 100 * rng.standard_normal(9)
    q[:, 1] = q[:, 0] + 0.002 * rng.standard_normal(9)
    k[:, 0] = 1000 + 100 * rng.standard_normal(9)
    k[:, 1] = 0.004 * rng.standard_normal(9) - k[:, 0]
    return inputs


def values_cancel(rng, d):
    """float64 inputs with keys in pairs, of which the second has `ratio` times the weight of the
    first, and values near a million that cancel: ordinary outputs, of which float32 keeps one digit.
    The window takes in all of them.
    """
    inputs = qkv(rng, 10, d, 3, dtype=np.float64)
    q, k, v = inputs.values()
    ratio = rng.uniform(1.5, 3, (5, 1))
    q[:, -1] = np.sqrt(d)
    k[1::2] = k[::2]
    k[::2, -1:], k[1::2, -1:] = 0, np.log(ratio)
    v[::2] += 1_000_000
    v[1::2] -= 1_000_000 / ratio
    return inputs


def large_numbers(inputs):
    """Scores as before from large keys, and large values. Powers of two round nothing."""
    q, k, v = inputs.values()
    return {"q": q / 2**16, "k": k * 2**16, "v": v * 2**16}


def faint_query(inputs, window):
    """One query is so faint that its scores stay below 1e-4; a column of the values has their signs."""
    q, k, v = inputs.values()
    faint = len(q) // 2
    near = slice(faint - window, faint + window + 1)
    products = k[near] @ q[faint]
    q[faint] *= 9e-5 * np.sqrt(q.shape[-1]) / np.abs(products).max()
    v[near, -1] = 3 * np.sign(products)
    return inputs


def ends_look_far(inputs):
    """The first and the last query have scores near 0, so that even the key that is farthest away
    has a weight that shows.
    """
    inputs["q"][[0, -1]] /= 4
    return inputs


def small_numbers(inputs):
    """Scores as before from small keys, and small values; one query and one key are 0."""
    q, k, v = inputs.values()
    q[..., 1, :], k[..., 2, :] = 0, 0
    v[..., 0] = 0
    return {"q": q * 2**10, "k": k / 2**10, "v": v / 2**12}


def cases(rng):
    yield Case(
        "five words, window 1",
        inputs=rounded(qkv(rng, 5, 3, 2)),
        options={"window": 1},
        sample=True,
        labels=("The", "cat", "sat", "down", "there"),
        note="The plain definition: each word sees itself and the words beside it.",
    )
    yield Case(
        "four positions, window 2",
        inputs=rounded(qkv(rng, 4, 3, 5)),
        options={"window": 2},
        sample=True,
        rule=ENDS,
        note="At both ends the window is cut off.",
    )
    yield Case(
        "eleven positions, window 2",
        inputs=large_numbers(qkv(rng, 11, 5, 4)),
        options={"window": 2},
        note="The plain definition on larger numbers.",
    )
    yield Case(
        "fourteen positions, window 3",
        inputs=small_numbers(qkv(rng, 14, 4, 6)),
        options={"window": 3},
        note="Small values; one query and one key are 0.",
    )
    yield Case(
        "1009 positions",
        inputs=faint_query(qkv(rng, 1009, 6, 5), window=7),
        options={"window": 7},
        note="A prime number of positions, which no block size divides. One query has scores near 0.",
    )
    yield Case(
        "1024 positions",
        inputs=qkv(rng, 1024, 5, 3),
        options={"window": 6},
        note="A number of positions that many block sizes divide: all blocks are equally long, and the first and the last have neighbours on one side only.",
    )
    past = qkv(rng, 13, 5, 3)
    past["v"] = past["v"] + np.arange(13, dtype=np.float32)[:, None]
    yield Case(
        "values that grow",
        inputs=past,
        options={"window": 2},
        rule=BOTH_WAYS,
        note="Each value is larger than the one before it, so looking one way only shows.",
    )
    yield Case(
        "a wide window",
        inputs=qkv(rng, 12, 4, 5),
        options={"window": 9},
        rule=ENDS,
        note="Every query is near an end: no window has all its neighbours.",
    )
    alike = qkv(rng, 9, 4, 3)
    alike["k"][:] = alike["k"][0]
    alike["v"] = alike["v"] + 3
    yield Case(
        "equal keys",
        inputs=alike,
        options={"window": 2},
        rule=ENDS,
        note="All scores of a row are equal, so each output is a plain mean of those that are there.",
    )
    yield Case(
        "window 0",
        inputs=qkv(rng, 7, 4, 3),
        options={"window": 0},
        rule=WINDOWS,
        note="Each query sees nothing but its own position.",
    )
    yield Case(
        "a window of hundreds",
        inputs=qkv(rng, 1024, 4, 3),
        options={"window": 307},
        slow=True,
        rule=WINDOWS,
        note="Wider than a block of up to 256 queries, and far from taking in all. There are 1024 positions.",
    )
    yield Case(
        "a window that takes in all",
        inputs=ends_look_far(qkv(rng, 6, 5, 3)),
        options={"window": 5},
        rule=WINDOWS,
        note="The smallest window that hides nothing.",
    )
    yield Case(
        "a window larger than the sequence",
        inputs=ends_look_far(qkv(rng, 5, 4, 7)),
        options={"window": 10**8},
        rule=WINDOWS,
        note="A window far larger than any sequence. Nothing is hidden: this is plain attention.",
    )
    yield Case(
        "a batch",
        inputs=qkv(rng, 8, 5, 6, lead=(2,)),
        options={"window": 2},
        rule=LEADING,
        note="One leading size.",
    )
    yield Case(
        "a batch of one",
        inputs=qkv(rng, 8, 5, 4, lead=(1,)),
        options={"window": 2},
        rule=LEADING,
        note="A batch of one is still a batch.",
    )
    yield Case(
        "batch and heads",
        inputs=qkv(rng, 9, 5, 4, lead=(2, 3)),
        options={"window": 2},
        layout={"q": "strided", "v": "transposed"},
        rule=LEADING,
        note="Two leading sizes. q and v are views, as transpositions make them.",
    )
    yield Case(
        "three leading sizes",
        inputs=qkv(rng, 7, 4, 5, lead=(2, 1, 3)),
        options={"window": 2},
        rule=LEADING,
        note="Layers, a single example, and heads.",
    )
    yield Case(
        "one position",
        inputs=qkv(rng, 1, 4, 3),
        options={"window": 2},
        rule=ONE,
        note="A position alone sees itself.",
    )
    yield Case(
        "vectors of one number",
        inputs=qkv(rng, 8, 1, 1),
        options={"window": 2},
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1.",
    )
    yield Case(
        "scores up to 10 000",
        inputs=ladder(rng, 9, 3, 5),
        options={"window": 2},
        rule=LARGE,
        note="Scores from -10 000 to 10 000, hundreds apart, but for the best two of the middle rows.",
    )
    yield Case(
        "all scores near -10 000",
        inputs=near_the_bottom(rng, 8, 3, 5),
        options={"window": 2},
        rule=LARGE,
        note="Every score is low, and in each window one of them is the largest.",
    )
    yield Case(
        "loud keys outside the window",
        inputs=loud_outside(rng, 15, 4, 3, window=3),
        options={"window": 3},
        rule=LARGE,
        note="Keys that are too far away score thousands above the others, and do not count.",
    )
    faint = qkv(rng, 13, 4, 6)
    faint["q"][:, 0], faint["k"][:, 0] = 8, -10
    yield Case(
        "every score near -40",
        inputs=faint,
        options={"window": 2},
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "16381 positions",
        inputs=qkv(rng, 16381, 4, 5),
        options={"window": 4},
        memory_mib=256,
        cpu_factor=8,  # with 10, a Python loop over the queries passes on some machines
        rule=COST,
        note="A long document, little memory and little time.",
    )
    yield Case(
        "float64, scores that cancel",
        inputs=scores_cancel(rng),
        options={"window": 2},
        rule=PRECISION,
        note="Each score is what is left when large terms cancel.",
    )
    yield Case(
        "float64, values that cancel",
        inputs=values_cancel(rng, 4),  # its root is exact in every dtype
        options={"window": 9},
        rule=PRECISION,
        note="Large values cancel in the output, and what is left needs their last digits.",
    )
    yield Case(
        "float64, values that cancel, D = 5",
        inputs=values_cancel(rng, 5),
        options={"window": 9},
        rule=PRECISION,
        note="Large values cancel again, and the root of D is no whole number.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=qkv(rng, 7, 4, 5),
            options={"window": 2},
            wants=("after.q", "after.k", "after.v"),
            rule=ALONE,
            note="The caller goes on using q, k and v. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=qkv(rng, 8, 3, 6),
        options={"window": 2},
        layout={"q": "readonly", "k": "readonly", "v": "readonly"},
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=qkv(rng, 10, 5, 3),
        options={"window": 2},
        layout={"q": "strided", "k": "strided", "v": "strided"},
        rule=VIEWS,
        note="The inputs have gaps between their entries, as slicing makes them.",
    )
    yield Case(
        "transposed matrices",
        inputs=qkv(rng, 11, 4, 6),
        options={"window": 2},
        layout={"q": "transposed", "k": "transposed", "v": "transposed"},
        rule=VIEWS,
        note="The inputs lie in memory column by column, without gaps, as a transposition leaves them.",
    )
    yield Case(
        "a second call",
        inputs=qkv(rng, 9, 6, 5),
        before=qkv(rng, 9, 6, 5),
        options={"window": 2},
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield Case(
        "gradients",
        inputs=qkv(rng, 10, 4, 3),
        options={"window": 3},
        wants=("output", "grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="In PyTorch the gradients are compared, near the ends too.",
    )
    yield Case(
        "gradients over 307 positions",
        inputs=qkv(rng, 307, 4, 3),
        options={"window": 9},
        wants=("grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="In PyTorch: longer than a block of up to 256 queries.",
    )
    yield Case(
        "gradients, every score -90",
        inputs=all_scores_low(rng, 12, 4, 3),
        options={"window": 3},
        wants=("grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="In PyTorch: all scores are equal and low, and all values too, so that the gradients of q and k are zeros.",
    )
    yield Case(
        "gradients, loud keys outside the window",
        inputs=loud_far_away(rng, 17, 4, 3, window=3),
        options={"window": 3},
        wants=("grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="In PyTorch: keys that are too far away score two hundred above the others, and nothing is learnt from them.",
    )
    yield Case(
        "a batch, and a window that takes in all",
        inputs=qkv(rng, 6, 5, 4, lead=(3,)),
        options={"window": 5},
        rule=LEADING,
        note="One leading size, and nothing is hidden.",
    )


def domain(rng):
    """Any sizes and windows, scaled scores from -10 000 to 10 000, both dtypes."""
    for number in range(80):
        n, d, dv = (int(size) for size in rng.choice([1, 1, 2, 3, 5, 8], 3))
        lead = tuple(rng.choice([1, 2, 3], rng.integers(0, 4)))
        q, k, v = qkv(rng, n, d, dv, lead, np.float64).values()
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
            options={"window": int(rng.integers(0, 10))},
        )
