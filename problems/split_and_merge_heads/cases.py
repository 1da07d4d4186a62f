"""Splitting and merging heads: each size that could hide a wrong axis differs, or coincides on
purpose.
"""

import numpy as np

from grader.case import Case, in_float64

HEADS = "Any number of heads that divides E"
UNDONE = "Merging undoes splitting"
REFUSES = "Other numbers of heads are refused"
KEPT = "Integers and booleans stay what they are"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
REMEMBERS = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def split(name, x, heads, **rest):
    return Case(name, call="split_heads", inputs={"x": x}, options={"num_heads": heads}, **rest)


def merge(name, x, **rest):
    return Case(name, call="merge_heads", inputs={"x": x}, **rest)


def cases(rng):
    table = 10.0 * np.arange(1, 4)[:, None] + np.arange(1, 9)  # token 2, column 3 is 23
    yield split(
        "split two tokens into three heads",
        table[None, :2, :6].astype(np.float32),
        3,
        sample=True,
        note="Each token is cut into three slices of two numbers.",
    )
    yield merge(
        "merge two heads of three tokens",
        np.stack([table[:, :4], table[:, 4:]])[None].astype(np.float32),
        sample=True,
        note="Two heads hold four columns each, and the tokens get back all eight.",
    )
    yield split(
        "split",
        normal(rng, 2, 5, 12),
        3,
        note="Batch, heads, tokens and widths all differ, so no axis can stand in for another.",
    )
    yield split(
        "split, other values",
        normal(rng, 2, 5, 12),
        3,
        before={"x": normal(rng, 2, 5, 12)},
        rule=REMEMBERS,
        note="The same shape again with other numbers: nothing may be remembered.",
    )
    yield split(
        "split into other heads",
        normal(rng, 2, 5, 12),
        4,
        rule=HEADS,
        note="The same shape once more, cut into another number of heads.",
    )
    yield split(
        "split, as many tokens as heads",
        normal(rng, 3, 3, 9),
        3,
        same="B = L = H = D, so that the shape of the result tells no axis apart",
        note="All axes of the result have the same size: are they the right way round?",
    )
    yield split(
        "split, as many examples as heads",
        normal(rng, 3, 5, 6),
        3,
        note="The batch is as large as the number of heads.",
    )
    yield split(
        "split, heads as wide as many",
        normal(rng, 2, 5, 9),
        3,
        layout={"x": "transposed"},
        note="Three heads of three columns: which of the two is which?",
    )
    hidden = np.where(
        rng.permuted(np.arange(48).reshape(4, 12) < 14), -np.inf, normal(rng, 2, 4, 12)
    )
    yield split(
        "split infinities",
        hidden.astype(np.float32),
        3,
        note="Numbers only move, minus infinity too: it changes no number beside it.",
    )
    yield split(
        "split into one head",
        normal(rng, 3, 4, 5),
        1,
        rule=HEADS,
        note="With one head there is nothing to cut, and one more axis.",
    )
    yield split(
        "split into single columns",
        normal(rng, 2, 3, 300),
        300,
        rule=HEADS,
        note="As many heads as columns, 300 of them.",
    )
    yield split(
        "split a single token",
        normal(rng, 2, 1, 8),
        4,
        rule=ONE,
        note="The shortest sequence there is.",
    )
    yield split(
        "split one example",
        normal(rng, 1, 5, 6),
        2,
        rule=ONE,
        note="A batch of one is still a batch.",
    )
    yield merge("merge", normal(rng, 2, 3, 5, 4), note="All sizes differ.")
    hidden = np.where(
        rng.permuted(np.arange(20).reshape(5, 4) < 6), -np.inf, normal(rng, 2, 3, 5, 4)
    )
    yield merge(
        "merge infinities",
        hidden.astype(np.float32),
        layout={"x": "transposed"},
        note="Numbers only move, minus infinity too: it changes no number beside it.",
    )
    yield merge(
        "merge, other values",
        normal(rng, 2, 3, 5, 4),
        before={"x": normal(rng, 2, 3, 5, 4)},
        rule=REMEMBERS,
        note="The same shape again with other numbers.",
    )
    yield merge(
        "merge, as many tokens as heads",
        normal(rng, 4, 4, 4, 4),
        same="B = H = L = D, so that the shape tells no axis apart",
        note="All axes have the same size: are heads and tokens told apart?",
    )
    yield merge(
        "merge one head of one example",
        normal(rng, 1, 1, 5, 4),
        same="B = H = 1: one example, one head",
        rule=ONE,
        note="One head of one example holds everything already.",
    )
    yield merge(
        "merge single columns",
        normal(rng, 2, 5, 3, 1),
        rule=ONE,
        note="Each head is one number wide.",
    )
    yield split(
        "there and back",
        normal(rng, 2, 5, 12),
        4,
        then="merge_heads",
        rule=UNDONE,
        note="What is split and merged again is what it was.",
    )
    yield split(
        "split float64",
        1e200 * rng.standard_normal((2, 3, 8)),
        4,
        rule=PRECISION,
        note="Numbers that only double precision can hold.",
    )
    yield merge(
        "merge float64",
        1e200 * rng.standard_normal((2, 5, 3, 4)),
        rule=PRECISION,
        note="Numbers that only double precision can hold.",
    )
    yield split(
        "split integers",
        rng.permutation(2 * 3 * 8).reshape(2, 3, 8) + 2**53,
        2,
        rule=KEPT,
        note="Numbers too large for any float to tell apart.",
    )
    yield merge(
        "merge integers",
        rng.permutation(2 * 4 * 3 * 5).reshape(2, 4, 3, 5) + 2**53,
        rule=KEPT,
        note="Numbers too large for any float to tell apart.",
    )
    masks = rng.permutation(2 * 5 * 12).reshape(2, 5, 12) % 5 < 2
    yield split(
        "split booleans", masks, 3, rule=KEPT, note="A mask of each token, cut for the heads."
    )
    masks = rng.permutation(2 * 5 * 3 * 4).reshape(2, 5, 3, 4) % 5 < 2
    yield merge("merge booleans", masks, rule=KEPT, note="A mask of each head, laid side by side.")
    yield in_float64(
        split(
            "split leaves the input as it was",
            normal(rng, 2, 5, 6),
            3,
            wants=("after.x",),
            rule=INPUTS,
            note="The array of the caller is looked at again after the call.",
        )
    )
    yield in_float64(
        merge(
            "merge leaves the input as it was",
            normal(rng, 2, 4, 3, 5),
            wants=("after.x",),
            rule=INPUTS,
            note="The array of the caller is looked at again after the call.",
        )
    )
    yield split(
        "split non-contiguous",
        normal(rng, 2, 5, 6),
        2,
        layout={"x": "strided"},
        rule=VIEWS,
        note="x is a view with gaps between its elements.",
    )
    yield merge(
        "merge non-contiguous",
        normal(rng, 3, 2, 4, 5),
        layout={"x": "strided"},
        rule=VIEWS,
        note="x is a view with gaps between its elements.",
    )
    yield split(
        "split read-only",
        normal(rng, 3, 2, 8),
        4,
        layout={"x": "readonly"},
        rule=VIEWS,
        note="In NumPy the array cannot be written to.",
    )
    yield split(
        "gradient of split",
        normal(rng, 2, 5, 6),
        3,
        wants=("grad.x",),
        rule=GRADIENTS,
        note="In PyTorch what the heads learn reaches the tokens.",
    )
    yield merge(
        "gradient of merge",
        normal(rng, 2, 4, 5, 3),
        wants=("grad.x",),
        rule=GRADIENTS,
        note="In PyTorch what the tokens learn reaches the heads.",
    )
    yield split(
        "width not divisible",
        normal(rng, 4, 3, 5),
        3,
        raises="ValueError",
        rule=REFUSES,
        note="Five columns cannot be shared out evenly among three heads.",
    )
    yield split(
        "width not divisible, two sentences",
        normal(rng, 2, 3, 6),
        4,
        raises="ValueError",
        rule=REFUSES,
        note="Six columns cannot be shared out evenly among four heads, however the batch is divided.",
    )
    yield split(
        "more heads than columns",
        normal(rng, 2, 3, 4),
        6,
        raises="ValueError",
        rule=REFUSES,
        note="Four columns are not enough for six heads.",
    )


def domain(rng):
    """Any sizes and dtypes, heads that divide the width, and heads that do not."""
    for number in range(60):
        B, L, H, D = map(int, rng.choice([1, 1, 2, 3, 4, 5], 4))
        big = rng.integers(-(2**62), 2**62, (B, L, H * D))
        dtype = rng.choice([np.int64, np.int32, np.uint8, np.bool_, np.float32, np.float64])
        numbers = big * 1e-18 if np.dtype(dtype).kind == "f" else big
        x = numbers.astype(dtype)
        yield split(f"{number}, split", x, H)
        yield merge(f"{number}, merge", x.reshape(B, H, L, D))
        wrong = H * D + 1 if number % 2 or H == 1 else H + 1
        if (H * D) % wrong:
            yield split(f"{number}, refused", x, wrong, raises="ValueError")
