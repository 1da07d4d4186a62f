"""Self-attention as a module: the numbers of MHA, plus what a module adds (loaded parameters,
dtype, gradients).
"""

import numpy as np

from grader.case import Case, in_float64

TRUE_SEES = 'True means "may attend"'
FORMS = "A mask has one of two shapes"
HEADS = "Any number of heads that divides E"
NOTHING = "A query that sees nothing gets zeros"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views"
REMEMBERS = "Remembers nothing between calls"
RANDOM = "Nothing is random"
GRADIENTS = "Gradients flow"

GAIN = {"W_q.weight": 1.6, "W_k.weight": 1.2, "W_v.weight": 1.2, "W_o.weight": 1.2}


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def weights(rng, E):
    """Projections such that the scores of a head spread over about 2 when the tokens are
    unit-normal.
    """
    return {name: normal(rng, E, E) * np.float32(gain / np.sqrt(E)) for name, gain in GAIN.items()}


def rounded(arrays):
    return {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}


def rows(B, n, shift=0):
    """A mask (B, 1, n, n) without luck: hides every third key, beginning elsewhere for each example
    and query.
    """
    b, _, i, j = np.indices((B, 1, n, n))
    return (b + i + 2 * j) % 3 != shift


def padding(B, n, lengths):
    """A mask (B, 1, 1, n): the first so many tokens of each example are real."""
    return (np.arange(n) < np.array(lengths)[:, None])[:, None, None, :]


def case(rng, name, B, n, E, heads, mask=None, layout=None, **rest):
    inputs = {"x": normal(rng, B, n, E)} | ({} if mask is None else {"mask": mask})
    init = {"d_model": E, "n_heads": heads}
    return Case(name, inputs=inputs, init=init, state=weights(rng, E), layout=layout or {}, **rest)


def small_numbers(case):
    """Small numbers beside large ones: a column of x and what each matrix makes of it, the queries
    and the keys, the values and the last matrix; scores as before. One token, one column of the
    values and one of the output are 0, and one token is faint. Powers of two round nothing.
    """
    x, (w_q, w_k, w_v, w_o) = case.inputs["x"], case.state.values()
    x[:, 1], x[:, 2] = 0, x[:, 2] / 2**15
    w_v[2], w_o[0] = 0, 0
    for column, power in ((0, 16), (1, -16)):
        x[..., column] /= 2.0**power
        for w in (w_q, w_k, w_v):
            w[:, column] *= 2.0**power
        w_q[column] *= 2.0**power
        w_k[column] /= 2.0**power
        w_v[column] /= 2.0**power
        w_o[:, column] *= 2.0**power
    return case


def large_numbers(case):
    """Scores as before from large tokens and keys, and a large output."""
    return scaled(case, tokens=8, powers=(-24, 8, 8, -8))


def scaled(case, tokens, powers):
    """The same with tokens and matrices multiplied by powers of two."""
    for array in case.inputs.values():
        array *= 2.0**tokens
    for array, power in zip(case.state.values(), powers, strict=True):
        array *= 2.0**power
    return case


def cases(rng):
    init = {"d_model": 4, "n_heads": 2}
    words = ("The", "cat", "sat")
    yield Case(
        "three words, two heads",
        inputs=rounded({"x": normal(rng, 1, 3, 4)}),
        init=init,
        state=rounded(weights(rng, 4)),
        sample=True,
        labels=words,
        note="The plain definition: three words look at one another with two heads of width 2.",
    )
    yield Case(
        "the last word is padding",
        inputs={**rounded({"x": normal(rng, 1, 3, 4)}), "mask": padding(1, 3, [2])},
        init=init,
        state=rounded(weights(rng, 4)),
        sample=True,
        labels=("Cats", "sat", "<pad>"),
        rule=TRUE_SEES,
        note="Nobody looks at the last word, but it looks at the others.",
    )
    batch = case(
        rng,
        "no mask",
        2,
        5,
        12,
        3,
        note="Batch, heads, tokens, head width and model width all differ, so no axis can stand in for another.",
    )
    yield large_numbers(batch)
    silent = case(
        rng, "a token of zeros", 2, 4, 10, 5, note="One token is 0, so all its scores are 0."
    )
    yield small_numbers(silent)
    yield case(
        rng,
        "no mask, other values",
        2,
        5,
        12,
        3,
        rule=REMEMBERS,
        note="The same shapes again with other numbers: nothing may be remembered.",
    )
    yield case(
        rng,
        "the same width, other heads",
        2,
        5,
        12,
        4,
        rule=HEADS,
        note="The same shapes once more, cut into another number of heads.",
    )
    yield case(
        rng,
        "one head",
        3,
        4,
        5,
        1,
        rule=HEADS,
        note="With a single head the splitting does nothing, and all the rest must still be there.",
    )
    yield case(
        rng,
        "padding, as many examples as heads",
        3,
        5,
        12,
        3,
        padding(3, 5, [5, 2, 3]),
        rule=FORMS,
        note="A mask of shape (B, 1, 1, n), where there are as many examples as heads: which of the two does it belong to?",
    )
    yield case(
        rng,
        "padding, a long text",
        1,
        300,
        6,
        2,
        padding(1, 300, [281]),
        rule=FORMS,
        note="A mask of shape (B, 1, 1, n) and three hundred tokens: one row of keys serves them all.",
    )
    yield case(
        rng,
        "padding",
        2,
        6,
        8,
        4,
        padding(2, 6, [4, 3]),
        rule=TRUE_SEES,
        note="Sequences of different lengths: the last tokens are only there to fill up.",
    )
    yield case(
        rng,
        "a row of keys for each query",
        2,
        5,
        12,
        3,
        rows(2, 5),
        rule=FORMS,
        note="A mask of shape (B, 1, n, n), different for each query.",
    )
    yield case(
        rng,
        "causal",
        2,
        6,
        10,
        5,
        np.broadcast_to(np.tri(6, dtype=bool), (2, 1, 6, 6)).copy(),
        rule=FORMS,
        note="The mask of a decoder: each token sees itself and what came before.",
    )
    unasked = rows(2, 5)
    unasked[0, :, :, 1] = unasked[1, :, :, 3] = False
    unasked[:, :, [1, 3], 4] = True
    yield case(
        rng,
        "a token that nobody sees",
        2,
        5,
        8,
        4,
        unasked,
        rule=TRUE_SEES,
        note="In each example one token is hidden from all queries, and asks like any other.",
    )
    yield case(
        rng,
        "as many examples as tokens",
        4,
        4,
        6,
        3,
        rows(4, 4, shift=1),
        same="B = n, so a plane of the mask could be taken for a row of it",
        rule=FORMS,
        note="A mask of shape (B, 1, n, n), where there are as many examples as tokens.",
    )
    yield case(
        rng,
        "as many tokens as heads",
        2,
        3,
        12,
        3,
        rule=HEADS,
        note="There are as many heads as tokens: which of the two is which?",
    )
    yield Case(
        "enormous values at hidden keys",
        **unseen(rng),
        init={"d_model": 8, "n_heads": 2},
        rule=TRUE_SEES,
        note="Hidden tokens have values of 1e20: a weight that is small and not 0 would be seen.",
    )
    blind = rows(2, 4, shift=1)
    blind[0, 0, 1] = False
    blind[1, 0, 3] = False
    yield case(
        rng,
        "rows with no visible key",
        2,
        4,
        10,
        2,
        blind,
        rule=NOTHING,
        note="One query of each example sees nothing at all.",
    )
    yield case(
        rng,
        "an example of nothing but padding",
        3,
        4,
        6,
        2,
        padding(3, 4, [3, 0, 4]),
        rule=NOTHING,
        note="One of the sequences in the batch is empty.",
    )
    yield case(
        rng,
        "one token, which is padding",
        3,
        1,
        6,
        2,
        padding(3, 1, rng.permutation([1, 0, 1])),
        rule=NOTHING,
        note="Sequences of one token, and one of these tokens is only there to fill up.",
    )
    yield Case(
        "loud keys behind the mask",
        **loud(rng, hidden=[[2e4], [1.6e8]]),
        init={"d_model": 8, "n_heads": 2},
        rule=LARGE,
        note="The hidden keys have scores of about a million in one example and of billions in the other, and still count for nothing.",
    )
    yield Case(
        "keys near a thousand behind the mask",
        **loud(rng, hidden=20.0),
        init={"d_model": 8, "n_heads": 2},
        rule=LARGE,
        note="The hidden keys have scores of about a thousand: too much for exp, and less than many a penalty.",
    )
    yield Case(
        "scores near a thousand",
        **high(rng),
        init={"d_model": 8, "n_heads": 2},
        rule=LARGE,
        note="Scores that exp cannot take in float32, high in one example and low in the other.",
    )
    yield Case(
        "the only visible token scores -10 000",
        **asked(
            rng, asks=np.full(5, 100), answers=-100 * (np.arange(5) == 2), mask=np.arange(5) == 2
        ),
        init={"d_model": 10, "n_heads": 2},
        rule=LARGE,
        note="A single token may be seen, with a very low score; what is hidden has ordinary ones.",
    )
    yield Case(
        "both ends of the range",
        **asked(
            rng,
            asks=[100, -100, 50, -50],
            answers=rng.permutation(100 - np.arange(4)),
            heads=rng.permutation([1, 0.8]),
        ),
        init={"d_model": 10, "n_heads": 2},
        rule=LARGE,
        note="The scores of a row lie close to 10 000 or to -10 000, or are half as large; one head has four fifths of the other's.",
    )
    yield Case(
        "one token with a huge score",
        **asked(rng, asks=[100], answers=[100]),
        init={"d_model": 10, "n_heads": 2},
        rule=LARGE,
        note="A single token in each example, whose score is 10 000.",
    )
    yield Case(
        "every score near -40",
        **asked(rng, asks=[-8, -7.9, -8.1], answers=rng.permutation([5, 4.8, 5.1])),
        init={"d_model": 10, "n_heads": 2},
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "cancelling values in float64",
        **cancelling(rng, B=2, pairs=3, H=2, D=8),
        init={"d_model": 16, "n_heads": 2},
        rule=PRECISION,
        note="The module in double precision: large parts of the numbers cancel, and what is left shows each rounding.",
    )
    yield case(
        rng,
        "one column",
        2,
        4,
        1,
        1,
        rule=ONE,
        note="Tokens that are one number wide, and one head.",
    )
    yield case(rng, "one example", 1, 3, 8, 2, rule=ONE, note="A batch of one is still a batch.")
    yield case(
        rng, "one token", 2, 1, 6, 3, rule=ONE, note="The shortest sequence: its only weight is 1."
    )
    yield in_float64(
        case(
            rng,
            "inputs stay as they were",
            2,
            5,
            8,
            4,
            rows(2, 5, shift=2),
            wants=("after.x", "after.mask"),
            rule=INPUTS,
            note="The tensors of the caller are looked at again after the call.",
        )
    )
    yield case(
        rng,
        "non-contiguous tokens",
        2,
        3,
        8,
        4,
        layout={"x": "strided"},
        rule=VIEWS,
        note="x is a view with gaps between its elements.",
    )
    yield case(
        rng,
        "tokens in Fortran order",
        3,
        4,
        10,
        5,
        layout={"x": "transposed"},
        rule=VIEWS,
        note="x is a view without gaps whose axes lie in memory in reverse order, as a transposition makes it.",
    )
    yield case(
        rng,
        "a second call",
        2,
        5,
        12,
        3,
        before={"x": normal(rng, 2, 5, 12)},
        rule=REMEMBERS,
        note="The same module was called before with other tokens: nothing may be kept from that call.",
    )
    yield case(
        rng,
        "no mask, after a call with one",
        2,
        5,
        8,
        4,
        before={"x": normal(rng, 2, 5, 8), "mask": rows(2, 5)},
        rule=REMEMBERS,
        note="The same module was called before with a mask. Now there is none.",
    )
    yield case(
        rng,
        "another mask of the same shape",
        2,
        5,
        8,
        2,
        rows(2, 5, shift=1),
        before={"x": normal(rng, 2, 5, 8), "mask": rows(2, 5)},
        rule=REMEMBERS,
        note="The same module was called before with a mask of this shape, but another one.",
    )
    yield case(
        rng,
        "a mask, after a shorter sequence without one",
        3,
        6,
        10,
        5,
        rows(3, 6, shift=1),
        before={"x": normal(rng, 3, 4, 10)},
        rule=REMEMBERS,
        note="The same module was called before with a shorter sequence and no mask.",
    )
    yield case(
        rng,
        "train mode",
        3,
        4,
        6,
        2,
        train=True,
        rule=RANDOM,
        note="Nothing here is random: train mode changes nothing.",
    )
    learned = ("grad.x", *(f"grad.{name}" for name in GAIN))
    yield case(
        rng,
        "gradients",
        2,
        5,
        8,
        2,
        wants=learned,
        rule=GRADIENTS,
        note="The tokens and all four weights learn.",
    )
    blind = rows(2, 5)
    blind[1, 0, 2] = False
    case_blind = case(
        rng,
        "gradients where a query sees nothing",
        2,
        5,
        9,
        3,
        blind,
        wants=("grad.W_q.weight", "grad.W_k.weight", "grad.W_v.weight"),
        rule=GRADIENTS,
        note="The row with no visible key must not spoil the gradients of the others, nor a hidden key with a score of two hundred.",
    )
    x, (w_q, w_k, w_v, _) = case_blind.inputs["x"], case_blind.state.values()
    # one token asks with column 0, and one that it does not see answers with column 1: a score of 196
    x[..., :2], x[0, 0, 0], x[0, 3, 1] = 0, 3.5, 3.5 * np.sqrt(3)
    for w in (w_q, w_k, w_v):
        w[:, :2] = 0
    w_q[0], w_k[0] = 0, 0
    w_q[0, 0], w_k[0, 1] = 4, 4
    # so that an even spread over the hidden keys gives 0 as well: that is another rule
    case_blind.inputs["x"][1] -= case_blind.inputs["x"][1].mean(axis=0)
    yield case_blind
    yield case(
        rng,
        "no mask, after a shorter sequence",
        2,
        7,
        6,
        3,
        before={"x": normal(rng, 2, 4, 6)},
        rule=REMEMBERS,
        note="The same module was called before with a shorter sequence. There is no mask, then and now.",
    )
    yield case(
        rng,
        "gradients where nobody sees anything",
        3,
        4,
        10,
        2,
        padding(3, 4, [0, 0, 0]),
        wants=("grad.W_q.weight", "grad.W_k.weight"),
        rule=GRADIENTS,
        note="Every example is nothing but padding, and the gradients are still there, and finite.",
    )
    padded = cancelling(rng, B=3, pairs=4, H=2, D=8)
    padded["inputs"]["mask"] = padding(
        3, 8, 2 * rng.permutation([2, 3, 4])
    )  # no pair is cut in two
    yield Case(
        "cancelling values in float64, with padding",
        **padded,
        init={"d_model": 16, "n_heads": 2},
        rule=PRECISION,
        note="The module in double precision once more, now with a mask.",
    )
    yield case(
        rng,
        "after a longer sequence",
        3,
        4,
        10,
        2,
        before={"x": normal(rng, 3, 7, 10)},
        rule=REMEMBERS,
        note="The same module was called before with a longer sequence.",
    )


def loud(rng, hidden, B=2, n=5, H=2, D=4):
    """In each head, column 2 of a token asks and column 3 answers: only real tokens ask, only
    padding is hidden, and it answers as loudly as told (per example).

    A score is 50 times the answer, give or take a few.
    """
    E = H * D
    x = normal(rng, B, n, H, D) * np.float32(1.7)
    x[..., 2], x[..., 3] = 1.0, 0.0
    x[:, -1, :, 2], x[:, -1, :, 3] = 0.0, hidden
    state = weights(rng, E)
    ask, answer = np.diag([1.0, 1.0, 100.0, 0.0]), np.diag([0.8, 0.8, 0.0, 0.0])
    answer[0, 1], answer[1, 0], answer[2, 3] = 0.6, -0.6, 1.0
    for name, block in (("W_q.weight", ask), ("W_k.weight", answer)):
        state[name] = np.kron(np.eye(H), block).astype(np.float32)
    return {"inputs": {"x": x.reshape(B, n, E), "mask": padding(B, n, [n - 1] * B)}, "state": state}


def unseen(rng, B=2, n=5, E=8):
    """Column 0 of a token goes into its value only; that of hidden tokens is 1e20."""
    x, state = normal(rng, B, n, E), weights(rng, E)
    state["W_q.weight"][:, 0] = state["W_k.weight"][:, 0] = 0
    x[:, [1, 4], 0] = 1e20
    return {
        "inputs": {"x": x, "mask": np.tile(np.isin(range(n), [0, 2, 3]), (B, 1, 1, 1))},
        "state": state,
    }


def asked(rng, asks, answers, mask=None, heads=(1, 1), B=2, H=2, D=5):
    """In each head, column 0 of a token asks and column 1 answers; the score is the product of the
    two, times the number of the head. The values do not have these columns.
    """
    n, E = len(asks), H * D
    x = normal(rng, B, n, H, D)
    x[..., 0] = np.multiply.outer(asks, heads)
    x[..., 1] = np.sqrt(D) * np.array(answers)[:, None]
    state = weights(rng, E)
    for name, column in (("W_q.weight", 0), ("W_k.weight", 1)):
        pick = np.zeros((D, D), dtype=np.float32)
        pick[0, column] = 1
        state[name] = np.kron(np.eye(H, dtype=np.float32), pick)
    state["W_v.weight"].reshape(E, H, D)[..., :2] = 0
    inputs = {"x": x.reshape(B, n, E)}
    if mask is not None:
        inputs["mask"] = np.tile(mask, (B, 1, 1, 1))
    return {"inputs": inputs, "state": state}


def cancelling(rng, B, pairs, H, D):
    """Tokens in pairs: the weight of the second is `ratio` times that of the first, and values near
    1e5 cancel in the heads; so does, in the output, what the columns of a head have in common.
    About 1 is left, of which a rounding to float32 anywhere is more than 1e-4. Every score has the
    same large part, which a softmax ignores. The columns of x are mixed, so that all numbers have
    all their digits: in each head 3 ask, 3 answer and the others are the value.
    """
    n, E, V = 2 * pairs, H * D, D - 6
    q = 1.5 * rng.standard_normal((B, n, H, 3))
    k = np.repeat(rng.standard_normal((B, pairs, H, 3)), 2, axis=1)
    v = 1e-5 * rng.standard_normal((B, n, H, V))
    ratio = rng.uniform(1.5, 3, (B, pairs, H, 1))
    q[..., -2:] = np.sqrt(D) * np.array([17.3, 1])
    k[..., -2:] = [18.7, 0]
    k[:, 1::2, :, -1:] = np.log(ratio)
    large = rng.standard_normal((B, pairs, H, V))
    v[:, ::2] += large
    v[:, 1::2] -= large / ratio
    mix = np.linalg.qr(rng.standard_normal((E, E)))[0]
    turn = np.linalg.qr(rng.standard_normal((D, D)))[0]
    state, parts = {}, {"W_q": slice(0, 3), "W_k": slice(3, 6), "W_v": slice(6, D)}
    for name, part in parts.items():
        pick = np.zeros((D, D))
        pick[part] = turn[: part.stop - part.start]
        state[f"{name}.weight"] = (mix @ np.kron(np.eye(H), pick)).T
    state["W_v.weight"] = 1e5 * state["W_v.weight"]
    w_o, common = rng.standard_normal((E, H, D)), turn[:V].sum(axis=0)
    w_o -= (w_o @ common)[..., None] * common / V
    state["W_o.weight"] = w_o.reshape(E, E)
    x = np.concatenate([q, k, v + 1], axis=-1).reshape(B, n, E) @ mix.T
    return {"inputs": {"x": x}, "state": state}


def high(rng, B=2, n=5, H=2, D=4):
    """Tokens share a large common part, which shifts all scores of an example and says nothing
    about which key to prefer.
    """
    E = H * D
    x = normal(rng, B, n, H, D) * np.float32(1.7)
    x -= x.mean(axis=-1, keepdims=True)
    x += np.array([22.0, 4.0], dtype=np.float32)[:, None, None, None]
    state = weights(rng, E)
    state["W_q.weight"] = np.eye(E, dtype=np.float32)
    state["W_k.weight"] = np.eye(E, dtype=np.float32)
    # the values do not have it
    state["W_v.weight"] -= state["W_v.weight"].mean(axis=1, keepdims=True)
    return {"inputs": {"x": x.reshape(B, n, E)}, "state": state}


def domain(rng):
    """Any sizes and heads, both forms of mask, scores on the scale of 1 to 10 000, both dtypes."""
    for number in range(70):
        B, n, H, D = map(int, rng.choice([1, 1, 2, 3, 4], 4))
        E, dtype = H * D, rng.choice([np.float32, np.float64])
        inputs = {"x": (rng.choice([1, 1, 5, 30]) * rng.standard_normal((B, n, E))).astype(dtype)}
        if rng.random() < 0.75:
            form = (B, 1, 1, n) if rng.random() < 0.5 else (B, 1, n, n)
            inputs["mask"] = rng.random(form) < rng.choice([0, 0.5, 0.8, 1])
        yield Case(
            str(number),
            inputs=inputs,
            init={"d_model": E, "n_heads": H},
            state={name: w.astype(dtype) * dtype(1.01) for name, w in weights(rng, E).items()},
            train=bool(rng.random() < 0.3),
        )
