"""Multi-head attention: every way of cutting the width into heads that is not the right one must
show.
"""

import numpy as np

from grader.case import Case

WEIGHTS = ("w_q", "w_k", "w_v", "w_o")


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
        note="Queries, keys and values come from three different arrays, and each query misses one key.",
    )
    yield Case(
        "no mask",
        inputs=inputs(rng, 2, 5, 7, 12),
        options={"num_heads": 3},
        note="Batch, heads, queries, keys, head width and model width all differ, so no axis can stand in for another.",
    )
    yield Case(
        "no mask, other values",
        inputs=inputs(rng, 2, 5, 7, 12),
        options={"num_heads": 3},
        note="The same shapes again with other numbers: nothing may be remembered from the call before.",
    )
    yield Case(
        "the same widths, other heads",
        inputs=inputs(rng, 2, 5, 7, 12),
        options={"num_heads": 4},
        note="The same shapes once more, cut into another number of heads.",
    )
    yield Case(
        "one head",
        inputs=inputs(rng, 3, 4, 2, 5),
        options={"num_heads": 1},
        note="With a single head the splitting does nothing, and all the rest must still be there.",
    )
    yield Case(
        "as many heads as columns",
        inputs=inputs(rng, 2, 3, 5, 6),
        options={"num_heads": 6},
        note="Each head is one number wide.",
    )
    yield Case(
        "one mask for everybody",
        inputs={**inputs(rng, 2, 5, 7, 12), "mask": pattern(5, 7)},
        options={"num_heads": 3},
        note="A mask of shape (L, S) holds for every example and every head.",
    )
    yield Case(
        "one mask for each example",
        inputs={**inputs(rng, 3, 5, 7, 12), "mask": pattern(3, 1, 5, 7)},
        options={"num_heads": 3},
        note="A mask of shape (B, 1, L, S), where there are as many examples as heads: which of the two does it belong to?",
    )
    yield Case(
        "one mask for each head",
        inputs={**inputs(rng, 2, 4, 5, 9), "mask": pattern(2, 3, 4, 5, shift=1)},
        options={"num_heads": 3},
        note="A mask of shape (B, H, L, S): every head of every example hides other keys.",
    )
    hidden = pattern(2, 1, 4, 6)
    hidden[0, 0, 1] = False
    hidden[1, 0, 3] = False
    yield Case(
        "rows with no visible key",
        inputs={**inputs(rng, 2, 4, 6, 10), "mask": hidden},
        options={"num_heads": 5},
        note="One query of each example sees nothing at all.",
    )
    yield Case(
        "loud keys behind the mask",
        inputs=loud(rng, B=2, L=3, S=5, E=8),
        options={"num_heads": 2},
        note="The hidden keys have scores far above 1e4, and still count for nothing.",
    )
    yield Case(
        "keys near a thousand behind the mask",
        inputs=loud(rng, B=2, L=3, S=5, E=8, hidden=5.0),
        options={"num_heads": 2},
        note="The hidden keys have scores of about a thousand: too much for exp, and less than many a penalty.",
    )
    yield Case(
        "visible scores near -10 000",
        inputs=loud(
            rng,
            B=2,
            L=3,
            S=5,
            E=8,
            visible=-50.2 - (np.arange(5)[:, None, None] + [[0], [2]]) % 4 / 4,
            hidden=0.0,
        ),
        options={"num_heads": 2},
        note="What may be seen has very low scores, and what is hidden has ordinary ones.",
    )
    yield Case(
        "width 512, weights not scaled down",
        inputs=unscaled(rng, 2, 3, 5, 512),
        options={"num_heads": 8},
        note="Raw normal weights make scores in the hundreds, more than exp can take in float32.",
    )
    yield Case(
        "all scores near two hundred",
        inputs=shifted(rng, B=2, L=3, S=5, E=8),
        options={"num_heads": 2},
        note="Every score of every row has the same large part, more than exp can take in float32.",
    )
    yield Case(
        "float64",
        inputs={
            **{name: array.astype(np.float64) for name, array in inputs(rng, 2, 3, 4, 10).items()},
            "mask": pattern(3, 4),
        },
        options={"num_heads": 5},
        note="Double precision in, double precision out.",
    )
    yield Case(
        "one query, one key",
        inputs=inputs(rng, 2, 1, 1, 6),
        options={"num_heads": 3},
        same="a single query meets a single key",
        note="The smallest sequence there is: its only weight is 1.",
    )
    kept = {**inputs(rng, 2, 3, 5, 8), "mask": pattern(2, 1, 3, 5)}
    yield Case(
        "inputs stay as they were",
        inputs=kept,
        options={"num_heads": 4},
        wants=("output", *(f"after.{name}" for name in kept)),
        note="The arrays of the caller are looked at again after the call.",
    )
    yield Case(
        "non-contiguous inputs",
        inputs=inputs(rng, 2, 5, 3, 8),
        options={"num_heads": 2},
        layout=dict.fromkeys(("q", "k", "v", "w_q", "w_o"), "strided"),
        note="The arrays are views with gaps between their elements.",
    )
    fixed = {**inputs(rng, 3, 4, 6, 10), "mask": pattern(4, 6)}
    yield Case(
        "read-only inputs",
        inputs=fixed,
        options={"num_heads": 2},
        layout=dict.fromkeys(fixed, "readonly"),
        note="In NumPy the arrays cannot be written to.",
    )
    yield Case(
        "gradients",
        inputs=inputs(rng, 2, 3, 5, 8),
        options={"num_heads": 2},
        wants=("output", *(f"grad.{name}" for name in ("q", "k", "v", *WEIGHTS))),
        note="In PyTorch every input learns: the gradients of all seven arrays.",
    )
    blind = pattern(2, 1, 3, 5, shift=1)
    blind[1, 0, 2] = False
    yield Case(
        "gradients with a row that sees nothing",
        inputs={**inputs(rng, 2, 3, 5, 9), "mask": blind},
        options={"num_heads": 3},
        wants=("output", "grad.q", "grad.k", "grad.v", "grad.w_q"),
        note="The row with no visible key must not spoil the gradients of the others.",
    )
    yield Case(
        "width not divisible by the heads",
        inputs=inputs(rng, 2, 3, 5, 10),
        options={"num_heads": 4},
        raises="ValueError",
        note="Ten columns cannot be shared out evenly among four heads.",
    )


def loud(rng, B, L, S, E, visible=0.0, hidden=200.0):
    """Every query has a long common part; in each head keys point along it as far as they are told,
    the last one being hidden.
    """
    arrays = inputs(rng, B, L, S, E)
    arrays["w_q"] = np.eye(E, dtype=np.float32)
    arrays["w_k"] = np.eye(E, dtype=np.float32)
    arrays["q"] = arrays["q"] * np.float32(1.5)
    mask = pattern(L, S)
    mask[:, -1] = False
    mask[:, 0] = True
    mask[:, 1:-1] = True
    halves = arrays["k"].reshape(B, S, 2, E // 2)
    arrays["k"] = (
        (halves - halves.mean(axis=-1, keepdims=True) + visible).reshape(B, S, E).astype(np.float32)
    )
    halves = arrays["q"].reshape(B, L, 2, E // 2)
    arrays["q"] = (halves - halves.mean(axis=-1, keepdims=True)).reshape(B, L, E) + np.float32(
        100.0
    )
    arrays["k"][:, -1] = np.float32(hidden)
    return {**arrays, "mask": mask}


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
    arrays = inputs(rng, B, L, S, E)
    arrays["w_q"] = np.eye(E, dtype=np.float32)
    arrays["w_k"] = np.eye(E, dtype=np.float32)
    for name, n in (("q", L), ("k", S)):
        halves = arrays[name].reshape(B, n, 2, E // 2) * np.float32(1.5)
        arrays[name] = (halves - halves.mean(axis=-1, keepdims=True) + np.float32(10)).reshape(
            B, n, E
        )
    return arrays
