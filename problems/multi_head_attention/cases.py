"""Multi-head attention: every way of cutting the width into heads that is not the right one must
show.
"""

import numpy as np

from grader.case import Case

WEIGHTS = ("w_q", "w_k", "w_v", "w_o")

TRUE_SEES = 'True means "may attend"'
FORMS = "A mask has one of three shapes"
HEADS = "Any number of heads that divides E"
REFUSES = "Other numbers of heads are refused"
NOTHING = "A query that sees nothing gets zeros"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
REMEMBERS = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def inputs(rng, B, L, S, E):
    """Unit-normal tokens; projections such that the scores of a head spread over about 1.5 to 2."""
    arrays = {"q": normal(rng, B, L, E), "k": normal(rng, B, S, E), "v": normal(rng, B, S, E)}
    for name in WEIGHTS:
        arrays[name] = normal(rng, E, E) * np.float32((1.6 if name == "w_q" else 1.2) / np.sqrt(E))
    return arrays


def rounded(arrays):
    return {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}


def pattern(*shape, shift=0):
    """A mask without luck: hides every third key of a row, beginning elsewhere for each example,
    head and query.
    """
    index = np.indices(shape)
    return (
        sum(i * (1 + axis % 2) for axis, i in enumerate(index, start=len(shape) % 2)) % 3 != shift
    )


def scaled(arrays, **powers):
    """The arrays multiplied by powers of two, which rounds nothing."""
    return {name: array * np.float32(2.0 ** powers[name]) for name, array in arrays.items()}


def balanced(a, b):
    """Makes one column of `a` small and the next one large, and rows of `b` the other way round:
    a @ b stays as it is. Powers of two round nothing.
    """
    a[..., 0] /= 2**16
    b[0] *= 2**16
    a[..., 1] *= 2**16
    b[1] /= 2**16


def small_numbers(arrays):
    """Small numbers beside large ones, scores as before and a small output; one query, one key, one column of the
    values and one of the output are 0, and one query and another column of the output are faint.
    """
    q, k, v, w_q, w_k, w_v, w_o = arrays.values()
    q[:, 1], q[:, 2], k[:, 1] = 0, q[:, 2] / 2**15, 0
    w_q[2, 2], w_k[2, 3], w_v[:, 2], w_o[:, 0] = 0, 0, 0, 0
    for a, b in ((q, w_q), (k, w_k), (v, w_v), (w_q, w_k.T), (w_v, w_o)):
        balanced(a, b)
    w_o /= 2**8
    w_o[:, 1] /= 2**7
    return arrays


def large_numbers(arrays):
    """Scores as before from large tokens and keys, and a large output."""
    return scaled(arrays, q=8, k=8, v=8, w_q=-24, w_k=8, w_v=8, w_o=8)


def cases(rng):
    x = normal(rng, 1, 3, 4)
    words = {**inputs(rng, 1, 3, 3, 4), "q": x, "k": x, "v": x}
    yield Case(
        "three words, two heads",
        inputs=rounded(words),
        options={"num_heads": 2},
        sample=True,
        labels=("The", "cat", "sat"),
        same="self-attention: the queries and the keys are the same three words",
        note="The plain definition: three words look at one another with two heads of width 2.",
    )
    some = np.array([[True, False, True], [False, True, True]])
    yield Case(
        "two queries over three keys, some hidden",
        inputs={**rounded(inputs(rng, 1, 2, 3, 4)), "mask": some},
        options={"num_heads": 2},
        sample=True,
        rule=TRUE_SEES,
        note="Queries, keys and values come from three different arrays, and each query misses one key.",
    )
    yield Case(
        "no mask",
        inputs=large_numbers(inputs(rng, 2, 5, 7, 12)),
        options={"num_heads": 3},
        note="Batch, heads, queries, keys, head width and model width all differ, so no axis can stand in for another.",
    )
    yield Case(
        "a query of zeros",
        inputs=small_numbers(inputs(rng, 2, 4, 5, 6)),
        options={"num_heads": 3},
        note="One query is 0 everywhere, so all its scores are 0.",
    )
    yield Case(
        "no mask, other values",
        inputs=inputs(rng, 2, 5, 7, 12),
        options={"num_heads": 3},
        rule=REMEMBERS,
        note="The same shapes again with other numbers: nothing may be remembered from the call before.",
    )
    yield Case(
        "the same widths, other heads",
        inputs=inputs(rng, 2, 5, 7, 12),
        options={"num_heads": 4},
        rule=HEADS,
        note="The same shapes once more, cut into another number of heads.",
    )
    yield Case(
        "one head",
        inputs=inputs(rng, 3, 4, 2, 5),
        options={"num_heads": 1},
        rule=HEADS,
        note="With a single head the splitting does nothing, and all the rest must still be there.",
    )
    yield Case(
        "as many heads as columns",
        inputs=inputs(rng, 2, 3, 5, 6),
        options={"num_heads": 6},
        rule=HEADS,
        note="Each head is one number wide.",
    )
    yield Case(
        "width not divisible by the heads",
        inputs=inputs(rng, 2, 3, 5, 10),
        options={"num_heads": 4},
        raises="ValueError",
        rule=REFUSES,
        note="Ten columns cannot be shared out evenly among four heads.",
    )
    yield Case(
        "more heads than columns",
        inputs=inputs(rng, 2, 3, 5, 4),
        options={"num_heads": 6},
        raises="ValueError",
        rule=REFUSES,
        note="Six heads, and four columns to share out.",
    )
    yield Case(
        "one mask for everybody",
        inputs={**inputs(rng, 2, 5, 7, 12), "mask": pattern(5, 7)},
        options={"num_heads": 3},
        rule=TRUE_SEES,
        note="A mask of shape (L, S) holds for every example and every head.",
    )
    yield Case(
        "another mask for everybody",
        inputs={**inputs(rng, 2, 5, 7, 12), "mask": pattern(5, 7, shift=1)},
        options={"num_heads": 3},
        before={**inputs(rng, 2, 5, 7, 12), "mask": pattern(5, 7)},
        rule=REMEMBERS,
        note="The same shapes as before with other values and another mask, which may stand in the very same array.",
    )
    yield Case(
        "one mask for each example",
        inputs={**inputs(rng, 3, 5, 7, 12), "mask": pattern(3, 1, 5, 7)},
        options={"num_heads": 3},
        rule=FORMS,
        note="A mask of shape (B, 1, L, S), where there are as many examples as heads: which of the two does it belong to?",
    )
    each_head = {**inputs(rng, 2, 4, 5, 9), "mask": pattern(2, 3, 4, 5, shift=1)}
    yield Case(
        "one mask for each head",
        inputs=each_head,
        options={"num_heads": 3},
        layout=dict.fromkeys(each_head, "transposed"),
        rule=FORMS,
        note="A mask of shape (B, H, L, S): every head of every example hides other keys. In memory the first axis of all arrays is fastest.",
    )
    yield Case(
        "one example, a mask for each head",
        inputs={**inputs(rng, 1, 4, 5, 6), "mask": pattern(1, 2, 4, 5)},
        options={"num_heads": 2},
        rule=FORMS,
        note="A mask of shape (1, H, L, S): a single example, and still a plane for each head.",
    )
    yield Case(
        "one head, one query",
        inputs={**inputs(rng, 2, 1, 4, 5), "mask": pattern(2, 1, 1, 4)},
        options={"num_heads": 1},
        rule=FORMS,
        note="A mask of shape (B, 1, 1, S): one head and one query, and still a row for each example.",
    )
    yield Case(
        "as many examples as queries",
        inputs={**inputs(rng, 4, 4, 4, 16), "mask": pattern(4, 4, shift=1)},
        options={"num_heads": 4},
        rule=FORMS,
        same="B = L = S = H = D, so a row of the mask could be taken for that of an example, a head or a key",
        note="A mask of shape (L, S), where all these sizes are equal: its rows belong to the queries.",
    )
    unseen = {**inputs(rng, 2, 3, 5, 8), "mask": np.tile([True, True, False, True, False], (3, 1))}
    unseen["v"][:, [2, 4]] *= 1e20
    yield Case(
        "enormous values at hidden keys",
        inputs=unseen,
        options={"num_heads": 4},
        rule=TRUE_SEES,
        note="Hidden keys have values of 1e20: a weight that is small and not 0 would be seen.",
    )
    hidden = pattern(2, 1, 4, 6)
    hidden[0, 0, 1] = False
    hidden[1, 0, 3] = False
    yield Case(
        "rows with no visible key",
        inputs={**inputs(rng, 2, 4, 6, 10), "mask": hidden},
        options={"num_heads": 5},
        rule=NOTHING,
        note="One query of each example sees nothing at all.",
    )
    one_head_blind = pattern(2, 3, 4, 5)
    one_head_blind[0, 1, 2] = False
    one_head_blind[1, 2, 0] = False
    yield Case(
        "no visible key in one of the heads",
        inputs={**inputs(rng, 2, 4, 5, 18), "mask": one_head_blind},
        options={"num_heads": 3},
        rule=NOTHING,
        note="One query of each example sees nothing in one head, and something in the other two.",
    )
    lone = np.array(
        [[[[True, False, True, True]]], [[[False] * 4]], [[[False, True, True, False]]]]
    )
    yield Case(
        "a single query with no visible key",
        inputs={**inputs(rng, 3, 1, 4, 10), "mask": lone},
        options={"num_heads": 5},
        rule=NOTHING,
        note="One query in each example; in one of them it sees nothing.",
    )
    yield Case(
        "a lone key that is hidden",
        inputs={
            **inputs(rng, 2, 3, 1, 8),
            "mask": np.array([[1, 0, 1], [0, 1, 0]], dtype=bool)[:, None, :, None],
        },
        options={"num_heads": 4},
        rule=NOTHING,
        note="A single key in each example, which some of the queries may see.",
    )
    yield Case(
        "loud keys behind the mask",
        inputs=loud(rng, B=2, L=3, S=5, E=8),
        options={"num_heads": 2},
        rule=LARGE,
        note="The hidden keys have scores near 90 000, and still count for nothing.",
    )
    yield Case(
        "keys near a thousand behind the mask",
        inputs=loud(rng, B=2, L=3, S=5, E=8, hidden=5.0),
        options={"num_heads": 2},
        rule=LARGE,
        note="The hidden keys have scores of about a thousand: too much for exp, and less than many a penalty.",
    )
    yield Case(
        "the only visible key scores -10 000",
        inputs=alone(rng, B=2, L=3, S=5, E=8),
        options={"num_heads": 2},
        rule=LARGE,
        note="A single key may be seen, with a very low score; what is hidden has ordinary ones.",
    )
    yield Case(
        "both ends of the range",
        inputs=far_apart(rng, B=2, L=4, S=3, E=10),
        options={"num_heads": 2},
        rule=LARGE,
        note="The scores of a row lie close to 10 000 or to -10 000, or are half as large.",
    )
    yield Case(
        "one key with a huge score",
        inputs=far_apart(rng, B=3, L=4, S=1, E=10),
        options={"num_heads": 2},
        rule=LARGE,
        note="A single key; its scores are near 10 000 and -10 000.",
    )
    yield Case(
        "width 512, weights not scaled down",
        inputs=unscaled(rng, 2, 3, 5, 512),
        options={"num_heads": 8},
        rule=LARGE,
        note="Raw normal weights make scores in the hundreds, more than exp can take in float32.",
    )
    yield Case(
        "all scores near two hundred",
        inputs=shifted(rng, B=2, L=3, S=5, E=8),
        options={"num_heads": 2},
        rule=LARGE,
        note="Every score of every row has the same large part, more than exp can take in float32.",
    )
    faint = plain(rng, B=2, L=3, S=7, E=8)
    faint["q"] /= 2
    faint["q"][..., ::4], faint["k"][..., ::4] = 8, -10
    yield Case(
        "every score near -40",
        inputs=faint,
        options={"num_heads": 2},
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "one query, one key",
        inputs=inputs(rng, 2, 1, 1, 6),
        options={"num_heads": 3},
        rule=ONE,
        same="a single query meets a single key",
        note="The smallest sequence there is: its only weight is 1.",
    )
    yield Case(
        "one example, one column",
        inputs=one_column(rng, 1, 3, 4),
        options={"num_heads": 1},
        rule=ONE,
        same="B = E = 1: one example, tokens one number wide",
        note="One example, whose tokens are one number wide.",
    )
    yield Case(
        "two examples, one column",
        inputs=one_column(rng, 2, 3, 4),
        options={"num_heads": 1},
        rule=ONE,
        note="Two examples, whose tokens are one number wide.",
    )
    yield Case(
        "two queries, one key",
        inputs=inputs(rng, 3, 2, 1, 6),
        options={"num_heads": 2},
        rule=ONE,
        note="With a single key its weight is 1.",
    )
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng, B=2, L=3, pairs=4, H=2, D=5),
        options={"num_heads": 2},
        rule=PRECISION,
        note="Double precision: large parts of the numbers cancel, and what is left shows each rounding.",
    )
    yield Case(
        "cancelling values in float64, with a mask",
        inputs={
            **cancelling(rng, B=2, L=3, pairs=4, H=2, D=5),
            "mask": np.ones((3, 8), dtype=bool),
        },
        options={"num_heads": 2},
        rule=PRECISION,
        note="The same in double precision with a mask, which hides nothing.",
    )
    kept = {name: x.astype(np.float64) for name, x in inputs(rng, 2, 3, 5, 8).items()}
    kept["mask"] = pattern(2, 1, 3, 5)
    yield Case(
        "inputs stay as they were",
        inputs=kept,
        options={"num_heads": 4},
        wants=tuple(f"after.{name}" for name in kept),
        rule=INPUTS,
        note="The arrays of the caller are looked at again after the call. The numbers are float64.",
    )
    yield Case(
        "non-contiguous inputs",
        inputs=inputs(rng, 2, 5, 3, 8),
        options={"num_heads": 2},
        layout=dict.fromkeys(("q", "k", "v", "w_q", "w_o"), "strided"),
        rule=VIEWS,
        note="The arrays are views with gaps between their elements.",
    )
    fixed = {**inputs(rng, 3, 4, 6, 10), "mask": pattern(4, 6)}
    yield Case(
        "read-only inputs",
        inputs=fixed,
        options={"num_heads": 2},
        layout=dict.fromkeys(fixed, "readonly"),
        rule=VIEWS,
        note="In NumPy the arrays cannot be written to.",
    )
    yield Case(
        "gradients",
        inputs=inputs(rng, 2, 3, 5, 8),
        options={"num_heads": 2},
        wants=tuple(f"grad.{name}" for name in ("q", "k", "v", *WEIGHTS)),
        rule=GRADIENTS,
        note="In PyTorch every input learns: the gradients of all seven arrays.",
    )
    blind = pattern(3, 1, 4, 5, shift=1)
    blind[1, 0, 2] = False
    yield Case(
        "gradients where a query sees nothing",
        inputs=hidden_far_above(rng, {**inputs(rng, 3, 4, 5, 8), "mask": blind}, num_heads=2),
        options={"num_heads": 2},
        wants=("grad.q", "grad.k", "grad.w_q", "grad.w_k"),
        rule=GRADIENTS,
        note="In PyTorch the gradients are finite, also where a query sees nothing, or a single key and a hidden score lies far above it.",
    )
    blind = pattern(2, 1, 3, 5, shift=1)
    blind[1, 0, 2] = False
    yield Case(
        "gradient of v where a query sees nothing",
        inputs={**inputs(rng, 2, 3, 5, 9), "mask": blind},
        options={"num_heads": 3},
        wants=("grad.v", "grad.w_v"),
        rule=NOTHING,
        note="In PyTorch: a query that sees nothing adds nothing to the gradient of v.",
    )
    yield Case(
        "six columns, four heads, two words",
        inputs=inputs(rng, 3, 2, 4, 6),
        options={"num_heads": 4},
        raises="ValueError",
        rule=REFUSES,
        note="The numbers of two words could be shared out among four heads, but not those of one.",
    )
    yield Case(
        "one query, many keys",
        inputs=inputs(rng, 2, 1, 5, 12),
        options={"num_heads": 3},
        rule=ONE,
        note="A single query in each example, as in decoding.",
    )
    shared = pattern(4, 6)
    shared[rng.integers(4)] = False
    yield Case(
        "one mask for everybody, a query that sees nothing",
        inputs={**inputs(rng, 2, 4, 6, 9), "mask": shared},
        options={"num_heads": 3},
        rule=NOTHING,
        note="A mask of shape (L, S) hides all keys from one query, in every example and head.",
    )


def one_column(rng, B, L, S):
    """Tokens one number wide; the matrices are single numbers that are not small."""
    arrays = inputs(rng, B, L, S, 1)
    for name in WEIGHTS:
        arrays[name] = rng.uniform(0.8, 1.6, (1, 1)).astype(np.float32)
    return arrays


def loud(rng, B, L, S, E, hidden=450.0):
    """Every query has a long common part; in each head the last key, which is hidden, points along
    it as far as it is told, the others not at all.
    """
    arrays = plain(rng, B, L, S, E)
    arrays["q"] = arrays["q"] * np.float32(1.5)
    mask = pattern(L, S)
    mask[:, -1] = False
    mask[:, 0] = True
    mask[:, 1:-1] = True
    halves = arrays["k"].reshape(B, S, 2, E // 2)
    arrays["k"] = (halves - halves.mean(axis=-1, keepdims=True)).reshape(B, S, E).astype(np.float32)
    halves = arrays["q"].reshape(B, L, 2, E // 2)
    arrays["q"] = (halves - halves.mean(axis=-1, keepdims=True)).reshape(B, L, E) + np.float32(
        100.0
    )
    arrays["k"][:, -1] = np.float32(hidden)
    return {**arrays, "mask": mask}


def hidden_far_above(rng, arrays, num_heads):
    """One query of the last example sees a single key, so that nothing is learned from its scores, and a
    hidden key scores 200 with it in every head. The other queries of the example see nothing.
    """
    E, (L, S) = arrays["w_k"].shape[0], arrays["mask"].shape[2:]
    seen, loud = rng.permutation(S)[:2]
    row = rng.integers(L)
    turn = np.linalg.qr(rng.standard_normal((E, E)))[0]
    arrays["w_k"] = (1.2 * turn).astype(np.float32)
    query = (arrays["q"][-1, row] @ arrays["w_q"]).reshape(num_heads, -1)
    key = 200 * np.sqrt(E // num_heads) * query / (query**2).sum(axis=-1, keepdims=True)
    arrays["k"][-1, loud] = key.ravel() @ turn.T / 1.2
    arrays["mask"][-1] = False
    arrays["mask"][-1, :, row, seen] = True
    return arrays


def plain(rng, B, L, S, E):
    """The same as `inputs`, but queries and keys are used as they come."""
    arrays = inputs(rng, B, L, S, E)
    arrays["w_q"] = np.eye(E, dtype=np.float32)
    arrays["w_k"] = np.eye(E, dtype=np.float32)
    return arrays


def alone(rng, B, L, S, E):
    """Two heads in which each query sees one key, with a score of -10 000; all others score 0."""
    arrays = plain(rng, B, L, S, E)
    arrays["q"] = np.full((B, L, E), 100.0, dtype=np.float32)
    arrays["k"] = np.zeros((B, S, E), dtype=np.float32)
    seen = rng.integers(S)
    arrays["k"][:, seen] = -1e4 / (100 * np.sqrt(E // 2))
    return {**arrays, "mask": np.tile(np.arange(S) == seen, (L, 1))}


def far_apart(rng, B, L, S, E):
    """Two heads whose scores are the products of a row's number and a key's, and a little more:
    near 10 000 and -10 000, and half of it. Keys are at least 50 apart, so one has all the weight.
    """
    D = E // 2
    arrays = plain(rng, B, L, S, E)
    q = 0.2 * rng.standard_normal((B, L, 2, D))
    k = 0.2 * rng.standard_normal((B, S, 2, D))
    q[..., 0] = 100 * np.resize([1, -1, 0.5, -0.5], L)[:, None]
    k[..., 0] = np.sqrt(D) * rng.permutation(99.99 - np.arange(S))[:, None]
    arrays["q"], arrays["k"] = (x.reshape(B, -1, E).astype(np.float32) for x in (q, k))
    return arrays


def cancelling(rng, B, L, pairs, H, D):
    """Keys in pairs: the weight of the second is `ratio` times that of the first, and values near
    1e5 cancel in the heads; so does, in the output, what all columns of a head have in common.
    About 1 is left, of which a rounding to float32 anywhere is more than 1e-4. Every score has the
    same large part, which a softmax ignores.
    """
    E, S = H * D, 2 * pairs
    q = 1.5 * rng.standard_normal((B, L, H, D))
    k = np.repeat(rng.standard_normal((B, pairs, H, D)), 2, axis=1)
    v = rng.standard_normal((B, S, H, D))
    ratio = rng.uniform(1.5, 3, (B, pairs, H, 1))
    q[..., -2:] = np.sqrt(D) * np.array([17.3, 1])
    k[..., -2:] = [18.7, 0]
    k[:, 1::2, :, -1:] = np.log(ratio)
    large = 1e5 * rng.standard_normal((B, pairs, H, D))
    v[:, ::2] += large
    v[:, 1::2] -= large / ratio
    arrays = {}
    for name, heads in (("q", q), ("k", k), ("v", v + 1e5)):
        w = np.linalg.qr(rng.standard_normal((E, E)))[0]
        arrays |= {name: heads.reshape(B, -1, E) @ w.T, f"w_{name}": w}
    w_o = rng.standard_normal((H, D, E))
    w_o -= w_o.mean(axis=1, keepdims=True)
    return {**arrays, "w_o": w_o.reshape(E, E)}


def unscaled(rng, B, L, S, E):
    """Scores in the hundreds that differ by about 2, and are the same in whatever order they are
    added up.

    Two scores of 300 that differ by 2 cost a float32 two digits, and sums of 512 products cost more
    or less of them, as one adds. So all numbers are multiples of 1/4: every sum of products of four
    of them is exact, far below 2^24 / 4^4. The keys of an example are alike but for one entry each.
    """
    arrays = {name: quarters(normal(rng, E, E)) for name in WEIGHTS}
    k = np.repeat(quarters(normal(rng, B, 1, E)), S, axis=1)
    for j in range(S):
        k[:, j, 3 * j] += np.float32(0.25)
    return {
        "q": quarters(normal(rng, B, L, E) * np.float32(0.4)),
        "k": k,
        "v": normal(rng, B, S, E),
        **arrays,
    }


def quarters(array):
    return np.round(array * 4) / np.float32(4)


def shifted(rng, B, L, S, E):
    """Queries and keys share a part that adds the same to all scores and says nothing about which
    key to prefer.
    """
    arrays = plain(rng, B, L, S, E)
    for name, n in (("q", L), ("k", S)):
        halves = arrays[name].reshape(B, n, 2, E // 2) * np.float32(1.5)
        arrays[name] = (halves - halves.mean(axis=-1, keepdims=True) + np.float32(10)).reshape(
            B, n, E
        )
    return arrays


def domain(rng):
    """Any sizes and heads, every form of mask, scores on the scale of 1 to 10 000."""
    for number in range(70):
        B, L, S, H, D = map(int, rng.choice([1, 1, 2, 3, 4], 5))
        arrays = inputs(rng, B, L, S, H * D)
        if rng.random() < 0.3:
            arrays["q"] = arrays["q"] * np.float32(rng.choice([0, 10, 300]))
        dtype = rng.choice([np.float32, np.float64])
        arrays = {
            name: (x * rng.uniform(0.9, 1, x.shape)).astype(dtype) for name, x in arrays.items()
        }
        forms = ((L, S), (B, 1, L, S), (B, H, L, S))
        if rng.random() < 0.75:
            form = forms[rng.integers(3)]
            arrays["mask"] = rng.random(form) < rng.choice([0, 0.5, 0.8, 1])
        yield Case(str(number), inputs=arrays, options={"num_heads": H})
        refused = H * D + 1 if number % 2 else H + 1
        if number < 12 and (H * D) % refused:
            yield Case(
                f"{number}, refused",
                inputs=arrays,
                options={"num_heads": refused},
                raises="ValueError",
            )
