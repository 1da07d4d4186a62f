"""Cross-attention: who asks and who answers, the padding of the source, and dropout judged by what
it does on average.
"""

import numpy as np

from grader.case import Case, in_float64

TRUE_SEES = 'True means "may attend"'
EXAMPLES = "A mask belongs to an example"
NOTHING = "A query that sees nothing gets zeros"
LARGE = "Large scores"
DROPOUT = "Dropout acts on the weights, in train mode only"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views"
REMEMBERS = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"

GAIN = {"W_q.weight": 1.6, "W_k.weight": 1.2, "W_v.weight": 1.2, "W_o.weight": 1.2}


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def weights(rng, E):
    """Projections such that the scores of a head spread over about 2 when the tokens are
    unit-normal.
    """
    return {name: normal(rng, E, E) * np.float32(gain / np.sqrt(E)) for name, gain in GAIN.items()}


def tokens(rng, B, L, S, E):
    return {"decoder_hidden": normal(rng, B, L, E), "encoder_output": normal(rng, B, S, E)}


def rounded(arrays):
    return {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}


def real(S, lengths):
    """A mask (B, 1, S): the first so many tokens of each source are real."""
    return (np.arange(S) < np.array(lengths)[:, None])[:, None, :]


def case(rng, name, sizes, heads, mask=None, **rest):
    inputs = tokens(rng, *sizes) | ({} if mask is None else {"mask": mask})
    E = sizes[-1]
    return Case(
        name, inputs=inputs, init={"d_model": E, "num_heads": heads}, state=weights(rng, E), **rest
    )


def small_numbers(case):
    """Scores as before from small tokens and keys, and a small output; one query, one key and one
    column of the output are 0, and one query is faint. Powers of two round nothing.
    """
    _, _, w_v, w_o = case.state.values()
    asking, answering = case.inputs.values()
    asking[:, 1], asking[:, 2], answering[:, 1] = 0, asking[:, 2] / 2**15, 0
    w_v[0], w_o[0], w_o[-1] = 0, 0, w_o[-1] / 2**4
    return scaled(case, tokens=-9, powers=(24, -6, -3, -3))


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


def loud_padding(case):
    """In the last example the padding scores 196 in the first head with every query, from column 0 of
    the queries and column 1 of the keys. The exponential of that is too large for float32.
    """
    asking, answering = case.inputs["decoder_hidden"], case.inputs["encoder_output"]
    w_q, w_k, w_v, _ = case.state.values()
    width = len(w_q) // case.init["num_heads"]
    asking[..., 0], answering[..., 1] = 3.5, 0
    answering[-1, ~case.inputs["mask"][-1, 0], 1] = 3.5 * np.sqrt(width)
    w_q[0], w_k[0], w_q[:, 0], w_k[:, 1], w_v[:, 1] = 0, 0, 0, 0, 0
    w_q[0, 0], w_k[0, 1] = 4, 4


def cases(rng):
    small = {"d_model": 4, "num_heads": 2}
    yield Case(
        "two decoder tokens, three encoder tokens",
        inputs=rounded(tokens(rng, 1, 2, 3, 4)),
        init=small,
        state=rounded(weights(rng, 4)),
        sample=True,
        note="The plain definition: two tokens of the decoder look at three of the encoder.",
    )
    yield Case(
        "the last encoder token is padding",
        inputs={**rounded(tokens(rng, 1, 5, 3, 4)), "mask": real(3, [2])},
        init=small,
        state=rounded(weights(rng, 4)),
        sample=True,
        rule=TRUE_SEES,
        note="Nobody looks at the last encoder token.",
    )
    batch = case(
        rng,
        "no mask",
        (2, 5, 7, 12),
        3,
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield large_numbers(batch)
    silent = case(
        rng, "a query of zeros", (2, 4, 5, 9), 3, note="One query is 0, so all its scores are 0."
    )
    yield small_numbers(silent)
    yield case(
        rng,
        "no mask, other values",
        (2, 5, 7, 12),
        3,
        rule=REMEMBERS,
        note="The same shapes again with other numbers: nothing may be remembered.",
    )
    yield case(
        rng,
        "more queries than keys",
        (2, 6, 3, 10),
        5,
        layout={"decoder_hidden": "transposed", "encoder_output": "transposed"},
        note="The decoder is further than the source is long.",
    )
    yield case(
        rng,
        "as many queries as keys",
        (2, 4, 4, 9),
        3,
        same="L = S, so a token of the decoder could be taken for one of the encoder without any error",
        note="Both sequences have the same length, and still only one of them asks.",
    )
    yield case(
        rng,
        "padding, as many examples as heads",
        (3, 4, 5, 12),
        3,
        real(5, [5, 2, 3]),
        same="B = H, so a mask of one example could be taken for that of one head",
        rule=EXAMPLES,
        note="There are as many examples as heads: to which of the two does a mask belong?",
    )
    yield case(
        rng,
        "padding",
        (2, 3, 6, 8),
        4,
        real(6, [4, 3]),
        rule=EXAMPLES,
        note="Source sentences of different lengths.",
    )
    holes = np.array([[True, False, True, True, False], [False, True, False, True, True]])[
        :, None, :
    ]
    yield case(
        rng,
        "holes in the source",
        (2, 3, 5, 8),
        4,
        holes,
        rule=TRUE_SEES,
        note="The hidden tokens lie in the middle and at the front.",
    )
    yield Case(
        "enormous values at hidden keys",
        **unseen(rng),
        init={"d_model": 8, "num_heads": 2},
        rule=TRUE_SEES,
        note="Hidden tokens have values of 1e20: a weight that is small and not 0 would be seen.",
    )
    yield case(
        rng,
        "an empty source",
        (3, 2, 4, 10),
        5,
        real(4, [3, 0, 4]),
        rule=NOTHING,
        note="One source sentence consists of padding only.",
    )
    yield case(
        rng,
        "a lone key that is hidden",
        (3, 2, 1, 8),
        4,
        real(1, [1, 0, 1]),
        rule=NOTHING,
        note="A single key in each example, and in one of them it is padding.",
    )
    yield Case(
        "loud keys behind the mask",
        **loud(rng, hidden=[[2e4], [1.6e8], [2e4]]),
        init={"d_model": 8, "num_heads": 2},
        rule=LARGE,
        note="The hidden keys have scores of about a million, in one example of billions, and still count for nothing.",
    )
    yield Case(
        "keys near a thousand behind the mask",
        **loud(rng, hidden=20.0),
        init={"d_model": 8, "num_heads": 2},
        rule=LARGE,
        note="The hidden keys have scores of about a thousand: too much for exp, and less than many a penalty.",
    )
    yield Case(
        "scores near a thousand",
        **high(rng),
        init={"d_model": 8, "num_heads": 2},
        rule=LARGE,
        note="Scores that exp cannot take in float32, on very different scales from example to example.",
    )
    yield Case(
        "the only visible key scores -10 000",
        **asked(
            rng, asks=np.full(3, 100), answers=-100 * (np.arange(5) == 2), mask=np.arange(5) == 2
        ),
        init={"d_model": 8, "num_heads": 2},
        rule=LARGE,
        note="A single key may be seen, with a very low score; what is hidden has ordinary ones.",
    )
    yield Case(
        "both ends of the range",
        **asked(
            rng,
            asks=[100, -100, 50, -50],
            answers=rng.permutation(100 - np.arange(5)),
            heads=rng.permutation([1, 0.8]),
        ),
        init={"d_model": 8, "num_heads": 2},
        rule=LARGE,
        note="The scores of a row lie close to 10 000 or to -10 000, or are half as large; one head has four fifths of the other's.",
    )
    yield Case(
        "one key with a huge score",
        **asked(rng, asks=[100, -100, 50], answers=[100]),
        init={"d_model": 8, "num_heads": 2},
        rule=LARGE,
        note="A single key; its scores are 10 000, -10 000 and 5 000.",
    )
    yield Case(
        "every score near -40",
        **asked(rng, asks=[-8, -7.9, -8.1], answers=rng.permutation(5.2 - 0.1 * np.arange(9))),
        init={"d_model": 8, "num_heads": 2},
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "cancelling values in float64",
        **cancelling(rng, B=2, L=3, pairs=4, H=2, D=5),
        init={"d_model": 10, "num_heads": 2},
        rule=PRECISION,
        note="The module in double precision: large parts of the numbers cancel, and what is left shows each rounding.",
    )
    yield case(
        rng,
        "one column",
        (2, 3, 4, 1),
        1,
        rule=ONE,
        note="Tokens that are one number wide, and one head.",
    )
    yield case(
        rng,
        "two queries, one key",
        (3, 2, 1, 6),
        2,
        rule=ONE,
        note="With a single key its weight is 1.",
    )
    yield case(
        rng,
        "one query, one key",
        (2, 1, 1, 6),
        3,
        same="a single query meets a single key",
        rule=ONE,
        note="The smallest sentences there are: the only weight is 1.",
    )
    yield in_float64(
        case(
            rng,
            "inputs stay as they were",
            (2, 3, 5, 8),
            4,
            real(5, [4, 2]),
            wants=("after.decoder_hidden", "after.encoder_output", "after.mask"),
            rule=INPUTS,
            note="The tensors of the caller are looked at again after the call.",
        )
    )
    yield case(
        rng,
        "non-contiguous tokens",
        (3, 5, 4, 8),
        2,
        layout={"decoder_hidden": "strided", "encoder_output": "strided"},
        rule=VIEWS,
        note="Both inputs are views with gaps between their elements.",
    )
    yield case(
        rng,
        "a second call",
        (2, 5, 7, 12),
        3,
        before=tokens(rng, 2, 5, 7, 12),
        rule=REMEMBERS,
        note="The same module was called before with other tokens on both sides: nothing may be kept from that call.",
    )
    yield case(
        rng,
        "no mask, after a call with one",
        (3, 4, 6, 10),
        5,
        before={**tokens(rng, 3, 4, 6, 10), "mask": real(6, [4, 6, 3])},
        rule=REMEMBERS,
        note="The same module was called before with a mask. Now there is none.",
    )
    yield case(
        rng,
        "another mask of the same shape",
        (2, 3, 5, 8),
        4,
        holes,
        before={**tokens(rng, 2, 3, 5, 8), "mask": ~holes},
        rule=REMEMBERS,
        note="The same module was called before with a mask of this shape, but another one.",
    )
    yield case(
        rng,
        "a mask, after a shorter source without one",
        (2, 3, 7, 8),
        4,
        real(7, [5, 6]),
        before=tokens(rng, 2, 5, 4, 8),
        rule=REMEMBERS,
        note="The same module was called before with a shorter source and no mask.",
    )
    # a loss on the output alone: the returned weights may be detached
    learned = (
        "output",
        "grad.decoder_hidden",
        "grad.encoder_output",
        *(f"grad.{name}" for name in GAIN),
    )
    yield case(
        rng,
        "gradients",
        (3, 4, 5, 8),
        2,
        wants=learned,
        rule=GRADIENTS,
        note="Both inputs and all four weights learn.",
    )
    empty = case(
        rng,
        "gradients with an empty source",
        (2, 4, 5, 9),
        3,
        real(5, [0, 3]),
        wants=("output", "grad.W_q.weight", "grad.W_k.weight"),
        rule=GRADIENTS,
        note="The example with no visible key must not spoil the gradients of the other, whose padding scores high.",
    )
    loud_padding(empty)
    # so that an even spread over the hidden keys gives 0 as well: that is another rule
    empty.inputs["encoder_output"][0] -= empty.inputs["encoder_output"][0].mean(axis=0)
    yield empty
    empty = case(
        rng,
        "gradients where every source is empty",
        (2, 3, 5, 8),
        4,
        real(5, [0, 0]),
        wants=("output", "grad.W_q.weight", "grad.W_k.weight"),
        rule=GRADIENTS,
        note="All sources are padding, which is 0: nothing is learned, and the way back is still there.",
    )
    empty.inputs["encoder_output"][:] = 0  # an even spread over them gives 0 as well
    yield empty
    silent = case(
        rng,
        "gradients in train mode",
        (2, 4, 5, 6),
        3,
        wants=("output", "grad.W_q.weight", "grad.W_k.weight", "grad.W_o.weight"),
        train=True,
        rule=GRADIENTS,
        note="Weights are dropped, and all values are 0: whatever is dropped, so are the output and these gradients.",
    )
    silent.init["dropout"] = 0.4
    silent.state["W_v.weight"][:] = 0
    yield silent
    yield case(
        rng,
        "gradient of the values with an empty source",
        (2, 3, 4, 8),
        2,
        real(4, [3, 0]),
        wants=("grad.W_v.weight",),
        rule=NOTHING,
        note="The example with no visible key adds nothing to the gradient of the value layer.",
    )
    yield Case(
        "train mode with dropout",
        **readable(rng),
        init={"d_model": 16, "num_heads": 2, "dropout": 0.35},
        wants=("mean.output", "spread.output"),
        train=True,
        draws=64,
        rule=DROPOUT,
        note="Mean and spread of the output over many draws: each weight of each query, head and example has its own luck in each call.",
    )
    masked = readable(rng, B=24)
    masked["inputs"]["mask"] = real(3, [3] * 24)
    yield Case(
        "train mode, the least and the most",
        **masked,
        init={"d_model": 16, "num_heads": 2, "dropout": 0.4},
        wants=("least.output", "most.output"),
        train=True,
        draws=16,
        rule=DROPOUT,
        note="Some weights are dropped and the others make up for it: the least and the most that can come out are known.",
    )
    yield Case(
        "train mode, nothing said about dropout",
        **readable(rng, B=120, L=1, across=0),
        init={"d_model": 16, "num_heads": 2},
        wants=("least.output", "most.output"),
        train=True,
        draws=24,
        rule=DROPOUT,
        note="The module is made without a dropout argument, so its own default holds. There is a single query.",
    )
    yield Case(
        "train mode with a dropout of 0",
        inputs={**tokens(rng, 3, 4, 6, 10), "mask": real(6, [6, 4, 5])},
        init={"d_model": 10, "num_heads": 2, "dropout": 0.0},
        state=weights(rng, 10),
        wants=("output",),
        train=True,
        rule=DROPOUT,
        note="Nothing is dropped when the chance of it is 0.",
    )
    yield Case(
        "train mode, one key",
        **readable(rng, B=6, L=2, S=1),
        init={"d_model": 8, "num_heads": 2, "dropout": 0.5},
        wants=("least.output", "most.output"),
        train=True,
        draws=12,
        rule=DROPOUT,
        note="There is one key only, and its weight is dropped as often as any other.",
    )
    padded = cancelling(rng, B=3, L=4, pairs=4, H=2, D=5)
    padded["inputs"]["mask"] = real(8, 2 * rng.permutation([2, 3, 4]))  # no pair is cut in two
    yield Case(
        "cancelling values in float64, with padding",
        **padded,
        init={"d_model": 10, "num_heads": 2},
        rule=PRECISION,
        note="The module in double precision once more, now with a mask.",
    )


def unseen(rng, B=2, L=3, S=5, E=8):
    """Column 0 of an encoder token goes into its value only; that of hidden tokens is 1e20."""
    inputs, state = tokens(rng, B, L, S, E), weights(rng, E)
    state["W_k.weight"][:, 0] = 0
    inputs["encoder_output"][:, [1, 4], 0] = 1e20
    mask = np.tile(np.isin(range(S), [0, 2, 3]), (B, 1, 1))
    return {"inputs": {**inputs, "mask": mask}, "state": state}


def readable(rng, B=40, L=5, S=3, H=2, across=1):
    """The output shows each weight by itself, and differences of two weights. Queries are alike,
    and so are examples.

    In head h, columns s and S + s of the values are h + 1 for token s and 0 for the others, so each
    weight comes out twice; the next column asks and answers, for scores of ±0.15 and 0. W_o hands
    on the weights of both heads (6 columns) and half of differences: the same weight of two heads
    (3), two weights of one head (4), a weight and itself (3); where tokens are fewer, the columns
    that are left over are 0. Only the size of the values is
    random, so what a right solution may be off by is the same part of it for every seed. Where
    little is dropped, what two heads do together is too rare to come out in every run: `across` is
    0 there.
    """
    D = 2 * (S + 1)
    E, ask = H * D, 2 * S
    size = np.float32(rng.uniform(1.0, 2.0))
    tokens = np.zeros((B, S, H, D), dtype=np.float32)
    for s in range(S):
        tokens[:, s, :, [s, S + s]] = size * np.arange(1, H + 1)
        tokens[:, s, :, ask] = 3 * np.array([s - 1, 1 - s])  # the heads prefer other tokens
    asking = np.zeros((B, L, H, D), dtype=np.float32)
    asking[..., ask] = 0.05 * np.sqrt(D)
    # the columns of the heads, put side by side
    seen = np.eye(E, dtype=np.float32).reshape(H, D, E)
    rows = [seen[h, s] for h in range(H) for s in range(S)]
    rows += [across * (seen[0, s] - seen[1, s]) / 2 for s in range(S)]
    rows += [(seen[h, s] - seen[h, s + 1]) / 2 for h in range(H) for s in range(S - 1)]
    rows += [(seen[1, s] - seen[1, S + s]) / 2 for s in range(S)]
    rows += [np.zeros(E, dtype=np.float32)] * (E - len(rows))
    one = np.eye(E, dtype=np.float32)
    key = np.kron(np.eye(H), np.diag(np.arange(D) == ask)).astype(np.float32)
    state = {"W_q.weight": one, "W_k.weight": key, "W_v.weight": one, "W_o.weight": np.stack(rows)}
    return {
        "inputs": {
            "decoder_hidden": asking.reshape(B, L, E),
            "encoder_output": tokens.reshape(B, S, E),
        },
        "state": state,
    }


def loud(rng, hidden, B=3, L=4, S=5, H=2, D=4):
    """In each head, column 2 of a query asks and column 3 of a key answers; only the last key is
    hidden, and answers as loudly as told (per example).

    A score is 50 times the answer, give or take a few.
    """
    E = H * D
    asks = normal(rng, B, L, H, D) * np.float32(1.7)
    answers = normal(rng, B, S, H, D) * np.float32(1.7)
    asks[..., 2] = 1.0
    answers[..., 3] = 0.0
    answers[:, -1, :, 3] = hidden
    state = weights(rng, E)
    ask, answer = np.diag([1.0, 1.0, 100.0, 0.0]), np.diag([0.8, 0.8, 0.0, 0.0])
    answer[0, 1], answer[1, 0], answer[2, 3] = 0.6, -0.6, 1.0
    for name, block in (("W_q.weight", ask), ("W_k.weight", answer)):
        state[name] = np.kron(np.eye(H), block).astype(np.float32)
    inputs = {
        "decoder_hidden": asks.reshape(B, L, E),
        "encoder_output": answers.reshape(B, S, E),
        "mask": real(S, [S - 1] * B),
    }
    return {"inputs": inputs, "state": state}


def asked(rng, asks, answers, mask=None, heads=(1, 1), B=2, H=2, D=4):
    """In each head, column 0 of a query asks and column 0 of a key answers; the score is the
    product of the two, times the number of the head. The values do not have this column.
    """
    L, S, E = len(asks), len(answers), H * D
    decoder, encoder = normal(rng, B, L, H, D), normal(rng, B, S, H, D)
    decoder[..., 0] = np.multiply.outer(asks, heads)
    encoder[..., 0] = np.sqrt(D) * np.array(answers)[:, None]
    state = weights(rng, E)
    pick = np.diag(np.arange(D) == 0).astype(np.float32)
    for name in ("W_q.weight", "W_k.weight"):
        state[name] = np.kron(np.eye(H, dtype=np.float32), pick)
    state["W_v.weight"].reshape(E, H, D)[..., 0] = 0
    inputs = {
        "decoder_hidden": decoder.reshape(B, L, E),
        "encoder_output": encoder.reshape(B, S, E),
    }
    if mask is not None:
        inputs["mask"] = np.tile(mask, (B, 1, 1))
    return {"inputs": inputs, "state": state}


def cancelling(rng, B, L, pairs, H, D):
    """Keys in pairs: the weight of the second is `ratio` times that of the first, and values near
    1e5 cancel in the heads; so does, in the output, what the columns of a head have in common.
    About 1 is left, of which a rounding to float32 anywhere is more than 1e-4. Every score has the
    same large part, which a softmax ignores. The columns of the tokens are mixed, so that all
    numbers have all their digits: in each head 3 are the query or the key, and the others the value.
    """
    S, E, V = 2 * pairs, H * D, D - 3
    q = 1.5 * rng.standard_normal((B, L, H, D))
    k = np.repeat(rng.standard_normal((B, pairs, H, 3)), 2, axis=1)
    v = 1e-5 * rng.standard_normal((B, S, H, V))
    ratio = rng.uniform(1.5, 3, (B, pairs, H, 1))
    q[..., 1:3] = np.sqrt(D) * np.array([17.3, 1])
    k[..., 1:] = [18.7, 0]
    k[:, 1::2, :, -1:] = np.log(ratio)
    large = rng.standard_normal((B, pairs, H, V))
    v[:, ::2] += large
    v[:, 1::2] -= large / ratio
    decoder, encoder = (np.linalg.qr(rng.standard_normal((E, E)))[0] for _ in range(2))
    turn = np.linalg.qr(rng.standard_normal((D, D)))[0]
    parts = {
        "W_q.weight": (decoder, slice(0, 3), 1),
        "W_k.weight": (encoder, slice(0, 3), 1),
        "W_v.weight": (encoder, slice(3, D), 1e5),
    }
    state = {}
    for name, (mix, part, gain) in parts.items():
        pick = np.zeros((D, D))
        pick[part] = gain * turn[: part.stop - part.start]
        state[name] = (mix @ np.kron(np.eye(H), pick)).T
    w_o, common = rng.standard_normal((E, H, D)), turn[:V].sum(axis=0)
    w_o -= (w_o @ common)[..., None] * common / V
    state["W_o.weight"] = w_o.reshape(E, E)
    answers = np.concatenate([k, v + 1], axis=-1)
    inputs = {
        "decoder_hidden": q.reshape(B, L, E) @ decoder.T,
        "encoder_output": answers.reshape(B, S, E) @ encoder.T,
    }
    return {"inputs": inputs, "state": state}


def high(rng, B=3, L=4, S=5, H=2, D=4):
    """Both sides share a large common part, which shifts all scores of an example and says nothing
    about which key to prefer.
    """
    E = H * D
    common = np.array([22.0, 4.0, 10.0], dtype=np.float32)[:, None, None, None]
    sides = []
    for n in (L, S):
        x = normal(rng, B, n, H, D) * np.float32(1.7)
        sides.append((x - x.mean(axis=-1, keepdims=True) + common).reshape(B, n, E))
    state = weights(rng, E)
    state["W_q.weight"] = np.eye(E, dtype=np.float32)
    state["W_k.weight"] = np.eye(E, dtype=np.float32)
    # the values do not have it
    state["W_v.weight"] -= state["W_v.weight"].mean(axis=1, keepdims=True)
    return {"inputs": {"decoder_hidden": sides[0], "encoder_output": sides[1]}, "state": state}


def domain(rng):
    """Any sizes and heads, any mask, scores on the scale of 1 to 10 000, both dtypes; train mode
    where no weight is dropped.
    """
    for number in range(70):
        B, L, S, H, D = map(int, rng.choice([1, 1, 2, 3, 4], 5))
        E, dtype = H * D, rng.choice([np.float32, np.float64])
        asking = rng.choice([1, 1, 30, 900]) * rng.standard_normal((B, L, E))
        inputs = {
            "decoder_hidden": asking.astype(dtype),
            "encoder_output": rng.standard_normal((B, S, E)).astype(dtype),
        }
        if rng.random() < 0.75:
            inputs["mask"] = rng.random((B, 1, S)) < rng.choice([0, 0.5, 0.8, 1])
        train = bool(rng.random() < 0.3)
        rate = {"dropout": 0.0} if train else rng.choice([{}, {"dropout": 0.5}])
        yield Case(
            str(number),
            inputs=inputs,
            init={"d_model": E, "num_heads": H, **rate},
            state={name: w.astype(dtype) * dtype(1.01) for name, w in weights(rng, E).items()},
            train=train,
        )
