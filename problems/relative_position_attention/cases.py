"""Relative position bias: the table is unit-normal times 1.5, so each of its entries moves the
weights.
"""

import numpy as np

from grader.case import Case, in_float64

LENGTH = "Any length, longer than the table or shorter"
COLUMN = "Each head has its own column"
TRUE_SEES = 'True means "may attend"'
FORMS = "A mask has any shape that broadcasts"
NOTHING = "A query that sees nothing gets zeros"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views"
REMEMBERS = "Remembers nothing between calls"
RANDOM = "Nothing is random"
GRADIENTS = "Gradients flow"


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def tokens(rng, B, H, n, D):
    """Queries and keys whose scaled scores spread over about 1.7."""
    return {
        "q": normal(rng, B, H, n, D) * np.float32(1.3),
        "k": normal(rng, B, H, n, D) * np.float32(1.3),
        "v": normal(rng, B, H, n, D),
    }


def table(rng, H, m):
    return {"rel_pos_bias.weight": normal(rng, 2 * m + 1, H) * np.float32(1.5)}


def rounded(arrays):
    return {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}


def case(rng, name, sizes, m, mask=None, **rest):
    _, H, _, D = sizes
    inputs = tokens(rng, *sizes) | ({} if mask is None else {"mask": mask})
    return Case(
        name,
        inputs=inputs,
        init={"d_model": H * D, "num_heads": H, "max_distance": m},
        state=table(rng, H, m),
        **rest,
    )


def pattern(*shape, shift=0):
    """A mask without luck: hides every third key of a row, beginning elsewhere for each example,
    head and query.
    """
    index = np.indices(shape)
    return (
        sum(i * (1 + axis % 2) for axis, i in enumerate(index, start=len(shape) % 2)) % 3 != shift
    )


def scaled(case, **powers):
    """The same with inputs multiplied by powers of two, which rounds nothing."""
    for name, power in powers.items():
        case.inputs[name][...] *= 2.0**power
    return case


def cases(rng):
    yield Case(
        "four tokens, distances up to one",
        inputs=rounded(tokens(rng, 1, 2, 4, 3)),
        init={"d_model": 6, "num_heads": 2, "max_distance": 1},
        state={
            "rel_pos_bias.weight": np.array(
                [[1.0, -2.0], [0.5, 0.0], [-1.0, 2.0]], dtype=np.float32
            )
        },
        sample=True,
        labels=("Time", "flies", "like", "arrows"),
        note="Head 0 likes what came before, head 1 what comes after.",
    )
    yield Case(
        "three tokens, each sees itself and what came before",
        inputs={**rounded(tokens(rng, 1, 2, 3, 4)), "mask": np.tri(3, dtype=bool)},
        init={"d_model": 8, "num_heads": 2, "max_distance": 2},
        state=rounded(table(rng, 2, 2)),
        sample=True,
        labels=("The", "cat", "sat"),
        rule=TRUE_SEES,
        note="A causal mask of shape (n, n), shared by all heads.",
    )
    longer = case(
        rng,
        "longer than the table",
        (2, 3, 7, 4),
        2,
        layout={"q": "transposed", "k": "transposed", "v": "transposed"},
        note="Tokens further apart than max_distance share the outermost rows.",
    )
    yield scaled(longer, q=-16, k=16, v=16)
    level = case(
        rng, "scores of zero", (2, 3, 5, 4), 3, note="One query is 0, and so is the table."
    )
    q, k, v = level.inputs.values()
    q[:, :, 1], q[:, :, 2], k[:, :, 1] = 0, q[:, :, 2] / 2**15, 0
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**4
    level.state["rel_pos_bias.weight"][...] = 0
    yield scaled(level, q=10, k=-10, v=-12)
    yield case(
        rng,
        "longer than the table, other values",
        (2, 3, 7, 4),
        2,
        rule=REMEMBERS,
        note="The same shapes again with other numbers: nothing may be remembered.",
    )
    yield case(
        rng,
        "the same length, another table",
        (2, 3, 7, 4),
        4,
        rule=REMEMBERS,
        note="The same tokens' shape with a larger max_distance.",
    )
    yield case(
        rng,
        "shorter than the table",
        (2, 5, 3, 4),
        300,
        rule=LENGTH,
        note="Many rows of the table belong to distances that do not occur.",
    )
    yield case(
        rng,
        "just as long as the table",
        (3, 2, 5, 7),
        4,
        rule=LENGTH,
        note="The outermost distances occur exactly once in each direction.",
    )
    yield case(rng, "one head", (2, 1, 6, 5), 3, rule=ONE, note="A table with a single column.")
    yield case(
        rng,
        "as many heads as tokens",
        (2, 4, 4, 3),
        2,
        same="H = n, so a table laid along the wrong axis does not show in the shape",
        rule=COLUMN,
        note="Heads and tokens are equally many: does each head find its own column?",
    )
    long = case(
        rng,
        "a long sequence",
        (1, 1, 2053, 3),
        2,
        wants=("output",),
        rule=LENGTH,
        same="B = H = 1: one head of one example is enough, and cheap",
        slow=True,
        note="More positions than half precision can count; far keys have little weight.",
    )
    long.state["rel_pos_bias.weight"][[0, -1]] -= 20
    yield long
    yield case(
        rng,
        "one mask for everybody",
        (2, 3, 5, 4),
        2,
        pattern(5, 5),
        rule=TRUE_SEES,
        note="A mask of shape (n, n).",
    )
    padding = (np.arange(5) < np.array([5, 2, 3])[:, None])[:, None, None, :]
    yield case(
        rng,
        "padding, as many examples as heads",
        (3, 3, 5, 4),
        2,
        padding,
        same="B = H, so a mask of one example could be taken for that of one head",
        rule=FORMS,
        note="A mask of shape (B, 1, 1, n): does it belong to the example or to the head?",
    )
    yield case(
        rng,
        "a row of keys for each query",
        (2, 3, 5, 4),
        3,
        pattern(2, 1, 5, 5),
        rule=FORMS,
        note="A mask of shape (B, 1, n, n).",
    )
    yield case(
        rng,
        "one mask for each head",
        (2, 4, 5, 3),
        2,
        pattern(2, 4, 5, 5, shift=1),
        rule=FORMS,
        layout={"mask": "strided"},
        note="A mask of shape (B, H, n, n), a view with gaps between its elements.",
    )
    yield case(
        rng,
        "a row of keys for each head",
        (2, 3, 6, 5),
        2,
        pattern(2, 3, 1, 6),
        rule=FORMS,
        note="A mask of shape (B, H, 1, n): all queries of a head see the same keys.",
    )
    blind = pattern(2, 1, 5, 5, shift=1)
    blind[0, 0, 1] = False
    blind[1, 0, 4] = False
    yield case(
        rng,
        "rows with no visible key",
        (2, 3, 5, 4),
        2,
        blind,
        rule=NOTHING,
        note="One query of each example sees nothing at all.",
    )
    yield Case(
        "loud keys behind the mask",
        **loud(rng, answer=2e4),
        init={"d_model": 12, "num_heads": 3, "max_distance": 2},
        rule=LARGE,
        note="The hidden key has scores of about a million, and still counts for nothing.",
    )
    yield Case(
        "keys near a thousand behind the mask",
        **loud(rng, answer=20),
        init={"d_model": 12, "num_heads": 3, "max_distance": 2},
        rule=LARGE,
        note="The hidden key has scores of about a thousand: too much for exp, and less than many a penalty.",
    )
    yield Case(
        "the only visible key scores -10 000",
        **asked(
            rng, asks=np.full(5, 100), answers=-100 * (np.arange(5) == 2), mask=np.arange(5) == 2
        ),
        init={"d_model": 12, "num_heads": 3, "max_distance": 2},
        rule=LARGE,
        note="A single key may be seen, with a very low score; what is hidden has ordinary ones.",
    )
    yield Case(
        "both ends of the range",
        **asked(
            rng,
            asks=[100, -100, 50, -50, 100],
            answers=rng.permutation(100 - np.arange(5)),
            heads=rng.permutation([1, 1, 0.8]),
        ),
        init={"d_model": 12, "num_heads": 3, "max_distance": 2},
        rule=LARGE,
        note="The scores of a row lie close to 10 000 or to -10 000, or are half as large; one head has four fifths of the others'.",
    )
    yield Case(
        "one token with a huge score",
        **asked(rng, asks=[100], answers=[100]),
        init={"d_model": 12, "num_heads": 3, "max_distance": 2},
        rule=LARGE,
        note="A single token in each head, whose score is 10 000.",
    )
    yield Case(
        "every score near -40",
        **asked(rng, asks=-8 - 0.1 * np.arange(8), answers=rng.permutation(5 - 0.1 * np.arange(8))),
        init={"d_model": 12, "num_heads": 3, "max_distance": 2},
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    high = case(
        rng,
        "scores near a thousand",
        (2, 3, 5, 4),
        2,
        rule=LARGE,
        note="Scores that exp cannot take in float32, high in one example and low in the other; all biases of one head are hundreds above 0, those of another hundreds below.",
    )
    high.inputs["q"][..., 0] = np.array([40.0, 3.0], dtype=np.float32)[:, None, None]
    high.inputs["k"][..., 0] = np.array([48.0, 3.0], dtype=np.float32)[:, None, None]
    # a softmax does not notice what all biases of a head have in common
    common = rng.permutation([1, 0, -1]) * rng.uniform(720, 800)
    high.state["rel_pos_bias.weight"] += common.astype(np.float32)
    yield high
    yield Case(
        "cancelling values in float64",
        **cancelling(rng, B=2, H=3, pairs=4, D=5),
        init={"d_model": 15, "num_heads": 3, "max_distance": 7},
        rule=PRECISION,
        note="The module in double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield case(
        rng,
        "one column",
        (2, 3, 4, 1),
        2,
        rule=ONE,
        note="Heads that are one number wide.",
    )
    yield case(
        rng,
        "one token",
        (2, 3, 1, 4),
        2,
        rule=ONE,
        note="The shortest sequence: its only weight is 1, whatever the bias.",
    )
    yield in_float64(
        case(
            rng,
            "inputs stay as they were",
            (2, 3, 5, 4),
            2,
            pattern(2, 1, 5, 5, shift=2),
            wants=("after.q", "after.k", "after.v", "after.mask"),
            rule=INPUTS,
            note="The tensors of the caller are looked at again after the call.",
        )
    )
    yield case(
        rng,
        "non-contiguous inputs",
        (3, 2, 5, 4),
        3,
        layout={"q": "strided", "k": "strided", "v": "strided"},
        rule=VIEWS,
        note="The inputs are views with gaps between their elements.",
    )
    # a loss on the output alone: the returned weights may be detached
    learned = ("output", "grad.q", "grad.k", "grad.v", "grad.rel_pos_bias.weight")
    yield case(
        rng,
        "a second call",
        (2, 3, 5, 4),
        2,
        before=tokens(rng, 2, 3, 5, 4),
        rule=REMEMBERS,
        note="The same module was called before with other tokens: nothing may be kept from that call.",
    )
    yield case(
        rng,
        "no mask, after a call with one",
        (2, 4, 5, 3),
        2,
        before={**tokens(rng, 2, 4, 5, 3), "mask": np.tri(5, dtype=bool)},
        rule=REMEMBERS,
        note="The same module was called before with a mask. Now there is none.",
    )
    yield case(
        rng,
        "a mask, after a shorter sequence without one",
        (2, 3, 7, 4),
        2,
        pattern(7, 7),
        before=tokens(rng, 2, 3, 5, 4),
        rule=REMEMBERS,
        note="The same module was called before with a shorter sequence and no mask.",
    )
    yield case(
        rng,
        "another mask of the same shape",
        (2, 4, 5, 3),
        2,
        np.tri(5, dtype=bool).T,
        before={**tokens(rng, 2, 4, 5, 3), "mask": np.tri(5, dtype=bool)},
        rule=REMEMBERS,
        note="The same module was called before with a mask of this shape, but another one.",
    )
    yield case(
        rng,
        "after a longer sequence",
        (2, 3, 4, 5),
        2,
        before=tokens(rng, 2, 3, 9, 5),
        rule=REMEMBERS,
        note="The same module was called before with a longer sequence.",
    )
    yield case(
        rng,
        "train mode",
        (2, 3, 4, 5),
        2,
        train=True,
        rule=RANDOM,
        note="Nothing here is random: train mode changes nothing.",
    )
    yield case(
        rng,
        "gradients",
        (2, 3, 6, 4),
        2,
        wants=learned,
        rule=GRADIENTS,
        note="The inputs learn, and so does each entry of the table, from all pairs that share it.",
    )
    steps = case(
        rng,
        "gradients of a later step",
        (2, 3, 6, 4),
        2,
        wants=("output", "grad.rel_pos_bias.weight"),
        rule=GRADIENTS,
        note="The same module has taken steps of training with the same tokens.",
    )
    # only a graph that is kept shows: other numbers are another rule
    steps.before.update({name: array.copy() for name, array in steps.inputs.items()})
    yield steps
    blind = pattern(2, 1, 5, 5)
    blind[1, 0, 2] = False
    gradients = case(
        rng,
        "gradients where a query sees nothing",
        (2, 3, 5, 4),
        2,
        blind,
        wants=("output", "grad.q", "grad.k", "grad.rel_pos_bias.weight"),
        rule=GRADIENTS,
        note="The row with no visible key must not spoil the gradients of the others, nor a hidden key with a score of two hundred.",
    )
    q, k, _, _ = gradients.inputs.values()
    # the first query of an example scores 196 with a key that it does not see
    q[..., 0], q[0, :, 0, 0], k[..., 0], k[0, :, 3, 0] = 0, 14, 0, 14 * np.sqrt(4)
    # so that an even spread over the hidden keys gives 0 as well: that is another rule
    gradients.inputs["v"][1] -= gradients.inputs["v"][1].mean(axis=1, keepdims=True)
    yield gradients
    yield case(
        rng,
        "gradient of v where a query sees nothing",
        (2, 3, 5, 4),
        2,
        blind,
        wants=("grad.v",),
        rule=NOTHING,
        note="In PyTorch: a query that sees nothing adds nothing to the gradient of v.",
    )
    yield case(
        rng,
        "one mask for everybody, as many examples and heads as tokens",
        (4, 4, 4, 5),
        2,
        pattern(4, 4),
        same="B = H = n, so a mask of all could be taken for one row of keys for each example or head",
        rule=FORMS,
        note="A mask of shape (n, n): its first axis is that of the queries.",
    )
    yield Case(
        "scores and biases that level each other out",
        **level_together(rng, B=2, H=3, n=5),
        init={"d_model": 12, "num_heads": 3, "max_distance": 4},
        rule=LARGE,
        note="Within a row the scaled scores lie hundreds apart, and so do the biases, but not their sums.",
    )
    masked = cancelling(rng, B=2, H=3, pairs=4, D=5)
    masked["inputs"]["mask"] = np.tile(np.arange(8) // 2 != rng.integers(4), (8, 1))
    yield Case(
        "cancelling values in float64, with a mask",
        **masked,
        init={"d_model": 15, "num_heads": 3, "max_distance": 7},
        rule=PRECISION,
        note="The same in double precision with a mask, which hides one of the pairs from everybody.",
    )
    shared = pattern(6, 6)
    shared[rng.integers(6)] = False
    yield case(
        rng,
        "one mask for everybody, a query that sees nothing",
        (3, 2, 6, 4),
        2,
        shared,
        rule=NOTHING,
        note="A mask of shape (n, n) hides all keys from one query, in every example and head.",
    )


def loud(rng, answer):
    """The last key, which is hidden, scores 50 times as much as it answers; the others little."""
    inputs = tokens(rng, 2, 3, 5, 4)
    inputs["q"][..., 0], inputs["k"][..., 0] = 100, 0
    inputs["k"][..., -1, 0] = answer
    mask = np.arange(5) < np.full((5, 1), 4)
    return {"inputs": inputs | {"mask": mask}, "state": table(rng, 3, 2)}


def asked(rng, asks, answers, mask=None, heads=(1, 1, 1), B=2, H=3, D=4):
    """Scores that are the product of a query's, a key's and a head's number, and no bias."""
    n = len(asks)
    inputs = {
        "q": np.zeros((B, H, n, D)),
        "k": normal(rng, B, H, n, D),
        "v": normal(rng, B, H, n, D),
    }
    inputs["q"][..., 0] = np.multiply.outer(heads, asks)
    inputs["k"][..., 0] = np.sqrt(D) * np.array(answers)
    inputs = {name: array.astype(np.float32) for name, array in inputs.items()}
    if mask is not None:
        inputs["mask"] = np.tile(mask, (n, 1))
    return {"inputs": inputs, "state": {"rel_pos_bias.weight": np.zeros((5, H), np.float32)}}


def level_together(rng, B, H, n, D=4):
    """Scores that rise by hundreds from key to key, and a table that falls as fast, or the other way
    round; what is left is a number of the query, which a softmax ignores, and ordinary scores. The
    large parts are exact in float32.
    """
    inputs = tokens(rng, B, H, n, D)
    step = rng.permutation([256, -256, 320])[:H]  # of the scaled scores of a head, from key to key
    inputs["q"][..., 0] = np.sqrt(D)
    inputs["k"][..., 0] = np.multiply.outer(step, np.arange(n) - n // 2)
    state = table(rng, H, n - 1)
    line = np.multiply.outer(np.arange(1 - n, n), step)
    state["rel_pos_bias.weight"] -= line.astype(np.float32)
    return {"inputs": inputs, "state": state}


def cancelling(rng, B, H, pairs, D):
    """Tokens in pairs: the weight of the second is `ratio` times that of the first, whatever the
    query, since the table is a straight line. Values near 1e5 cancel in the output but for about 1.
    A rounding to float32 anywhere leaves more than 1e-4 of that. Every score has the same large
    part, which a softmax ignores.
    """
    n = 2 * pairs
    q = 1.5 * rng.standard_normal((B, H, n, D))
    k = np.repeat(rng.standard_normal((B, H, pairs, D)), 2, axis=2)
    v = rng.standard_normal((B, H, n, D))
    ratio = rng.uniform(1.5, 3, (B, H, pairs, 1))
    slope = rng.uniform(0.3, 0.6, H)
    q[..., -2:] = np.sqrt(D) * np.array([17.3, 1])
    k[..., -2:] = [18.7, 0]
    k[:, :, 1::2, -1:] = np.log(ratio) - slope[:, None, None]
    large = 1e5 * rng.standard_normal((B, H, pairs, D))
    v[:, :, ::2] += large
    v[:, :, 1::2] -= large / ratio
    line = slope * np.arange(1 - n, n)[:, None]
    return {"inputs": {"q": q, "k": k, "v": v}, "state": {"rel_pos_bias.weight": line}}


def domain(rng):
    """Any sizes and distances, every form of mask, scores on the scale of 1 to 10 000."""
    for number in range(70):
        B, H, n, D, m = map(int, rng.choice([1, 1, 2, 3, 5], 5))
        dtype = rng.choice([np.float32, np.float64])
        inputs = tokens(rng, B, H, n, D)
        inputs["q"] = inputs["q"] * np.float32(rng.choice([0, 1, 1, 30, 900]))
        inputs = {name: (x * dtype(1.01)).astype(dtype) for name, x in inputs.items()}
        if rng.random() < 0.75:
            forms = ((n, n), (B, 1, 1, n), (B, 1, n, n), (B, H, n, n))
            inputs["mask"] = rng.random(forms[rng.integers(4)]) < rng.choice([0, 0.5, 0.8, 1])
        yield Case(
            str(number),
            inputs=inputs,
            init={"d_model": H * D, "num_heads": H, "max_distance": m},
            state={name: x.astype(dtype) * dtype(1.01) for name, x in table(rng, H, m).items()},
            train=bool(rng.random() < 0.3),
        )
