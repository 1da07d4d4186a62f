"""Causal self-attention fed in pieces: the numbers of self-attention, and what a cache adds."""

import numpy as np

from grader.case import Case, in_float64

PIECES = "Pieces change nothing"
UNCHANGED = "A cache is never changed"
REMEMBERS = "Remembers nothing between calls"
HEADS = "Any number of heads that divides E"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views"
RANDOM = "Nothing is random"
GRADIENTS = "Gradients flow"
COST = "Costs little for each new token"

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


def case(rng, name, B, n, E, heads, pieces=None, aside=0, **rest):
    """x, and `aside` more tokens where there are any; `rest` holds the other options too."""
    inputs = {"x": normal(rng, B, n, E)}
    if aside:
        inputs["aside"] = normal(rng, B, aside, E)
    options = {key: rest.pop(key) for key in ("at", "fresh") if key in rest}
    if pieces:
        options["pieces"] = pieces
    return Case(
        name,
        inputs=inputs,
        options=options,
        init={"d_model": E, "num_heads": heads},
        state=weights(rng, E),
        **rest,
    )


def cases(rng):
    words, init = ("The", "cat", "sat"), {"d_model": 4, "num_heads": 2}
    yield Case(
        "three words in one pass",
        inputs=rounded({"x": normal(rng, 1, 3, 4)}),
        init=init,
        state=rounded(weights(rng, 4)),
        sample=True,
        labels=words,
        note="No cache yet: each word sees itself and the words before it.",
    )
    yield Case(
        "a word, then two",
        inputs=rounded({"x": normal(rng, 1, 3, 4)}),
        options={"pieces": [1, 2]},
        init=init,
        state=rounded(weights(rng, 4)),
        sample=True,
        labels=words,
        rule=PIECES,
        note="The first word is in the cache when the other two come.",
    )
    blank = case(
        rng,
        "one pass",
        2,
        7,
        12,
        3,
        note="Batch, heads, tokens, head width and model width all differ, so no axis can stand in for another. One token is all zeros, and so are its scores.",
    )
    blank.inputs["x"][:, rng.integers(1, 6)] = 0
    yield blank
    yield case(
        rng,
        "521 tokens in one pass",
        2,
        521,
        6,
        3,
        slow=True,
        note="A prime number of tokens, which no block size divides.",
    )
    yield case(
        rng,
        "token by token",
        3,
        6,
        10,
        2,
        [1] * 6,
        rule=PIECES,
        note="Six calls, each with a single new token.",
    )
    yield case(
        rng,
        "pieces of different lengths",
        2,
        9,
        12,
        4,
        [2, 4, 3],
        rule=PIECES,
        note="Each piece is causal in itself and sees all of the past.",
    )
    yield case(
        rng,
        "a long text, then single tokens",
        2,
        8,
        15,
        3,
        [5, 1, 1, 1],
        rule=PIECES,
        note="This is how a model writes: the prompt in one pass, then token by token.",
    )
    first, steps = int(rng.integers(38, 42)), int(rng.integers(34, 38))
    yield case(
        rng,
        "more than seventy tokens",
        2,
        first + steps + 5,
        6,
        2,
        [first, *[1] * steps, 5],
        rule=PIECES,
        note="Nothing is dropped, however many tokens there are.",
    )
    yield case(
        rng,
        "two texts from one cache",
        2,
        7,
        12,
        2,
        [4, 3],
        aside=5,
        at=1,
        rule=UNCHANGED,
        note="Another text goes on from the same cache, by turns with this one. What it adds does not belong to this one.",
    )
    yield case(
        rng,
        "two texts of one length from one cache",
        3,
        7,
        8,
        4,
        [3, 2, 2],
        aside=4,
        at=1,
        same="m = H = 4: the other text is as long as what follows",
        rule=UNCHANGED,
        note="Both go on by the same number of tokens, by turns and with other words.",
    )
    yield case(
        rng,
        "a second text from the middle",
        2,
        9,
        10,
        5,
        [3, 1, 1, 2, 2],
        aside=3,
        at=3,
        rule=UNCHANGED,
        note="A cache that is several calls old is the beginning of a second text, too.",
    )
    yield case(
        rng,
        "a text after another one",
        2,
        5,
        12,
        3,
        aside=6,
        fresh=True,
        rule=REMEMBERS,
        note="The same module has begun another text before. This one begins anew.",
    )
    yield case(
        rng,
        "another text in between",
        3,
        7,
        6,
        2,
        [4, 1, 2],
        aside=5,
        at=1,
        fresh=True,
        rule=REMEMBERS,
        note="A second text begins while the first is not finished. Each knows its own past only.",
    )
    yield case(
        rng,
        "another text, token by token",
        3,
        5,
        8,
        4,
        [3, 2],
        aside=2,
        at=1,
        fresh=True,
        rule=REMEMBERS,
        note="The second text begins with a single token, and goes on with one.",
    )
    yield case(
        rng,
        "the same sizes, other tokens",
        2,
        4,
        9,
        3,
        aside=4,
        fresh=True,
        same="m = n: the second text has the shape of the first",
        rule=REMEMBERS,
        note="Two texts of one shape, with other words.",
    )
    yield case(
        rng,
        "as many heads as columns",
        2,
        4,
        5,
        5,
        rule=HEADS,
        note="Each head is a single number wide.",
    )
    single = weights(rng, 6)
    yield Case(
        "nothing said about heads",
        inputs={"x": normal(rng, 2, 5, 6)},
        init={"d_model": 6},
        state=single,
        rule=HEADS,
        note="Without num_heads there is one head as wide as the model.",
    )
    yield Case(
        "scores near a thousand",
        **high(rng),
        init={"d_model": 8, "num_heads": 2},
        rule=LARGE,
        note="Scores that exp cannot take in float32, high in one example and low in the other.",
    )
    yield Case(
        "both ends of the range",
        **asked(
            rng,
            asks=[-100, 100, 50, -50, *rng.permutation([-100, 100, 50])],
            answers=[100, *rng.permutation(99 - np.arange(3)), *rng.permutation(95 - np.arange(3))],
        ),
        options={"pieces": [4, 1, 2]},
        init={"d_model": 10, "num_heads": 2},
        rule=LARGE,
        note="The scores of a row lie close to 10 000 or to -10 000, or are half as large, in the cache and beside it.",
    )
    yield Case(
        "the future scores high",
        **asked(rng, asks=[100, 50, -50, 20], answers=[-100, *rng.permutation([100, 90, 60])]),
        init={"d_model": 10, "num_heads": 2},
        rule=LARGE,
        note="The first token scores itself -10 000; tokens that it may not see yet, up to 10 000.",
    )
    yield Case(
        "one token with a huge score",
        **asked(rng, asks=[100], answers=[100]),
        init={"d_model": 10, "num_heads": 2},
        rule=LARGE,
        note="A single token in each example, whose score is 10 000.",
    )
    yield Case(
        "every score near -40",
        **asked(rng, asks=[-8, -7.9, -8.1], answers=rng.permutation([5, 4.8, 5.1])),
        init={"d_model": 10, "num_heads": 2},
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield case(
        rng,
        "one column",
        2,
        4,
        1,
        1,
        [2, 1, 1],
        rule=ONE,
        note="Tokens that are one number wide, and one head.",
    )
    yield case(rng, "one example", 1, 5, 8, 2, rule=ONE, note="A batch of one is still a batch.")
    yield case(
        rng, "one token", 2, 1, 6, 3, rule=ONE, note="The shortest text: its only weight is 1."
    )
    yield Case(
        "cancelling values in float64",
        **cancelling(rng),
        options={"pieces": [1, 3, 1, 2]},  # the pair comes after another token, and others after it
        init={"d_model": 20, "num_heads": 2},
        rule=PRECISION,
        note="The module in double precision: large parts of the numbers cancel, and what is left shows each rounding.",
    )
    yield in_float64(
        case(
            rng,
            "inputs stay as they were",
            2,
            6,
            8,
            4,
            wants=("after.x",),
            rule=INPUTS,
            note="The tokens of the caller are looked at again after the call.",
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
        "tokens in another order",
        3,
        5,
        8,
        2,
        layout={"x": "transposed"},
        rule=VIEWS,
        note="x has no gaps, but its first axis changes fastest in memory, as after a transposition.",
    )
    yield case(
        rng,
        "train mode",
        3,
        5,
        6,
        2,
        train=True,
        rule=RANDOM,
        note="Nothing here is random: train mode changes nothing.",
    )
    learned = ("grad.x", *(f"grad.{name}" for name in GAIN))
    learning = case(
        rng,
        "gradients",
        2,
        5,
        8,
        2,
        wants=learned,
        rule=GRADIENTS,
        note="The tokens and all four weights learn. The last token scores two hundred above the others with those that do not see it.",
    )
    x, (w_q, w_k, w_v, _) = learning.inputs["x"], learning.state.values()
    x[..., 0], x[:, -1, 0], x[..., 1], x[:, -1, 1] = 3.5, 0, 0, 3.5 * np.sqrt(4)
    for w in (w_q, w_k, w_v):
        w[:, :2] = 0
    w_q[0], w_k[0] = 0, 0
    w_q[0, 0], w_k[0, 1] = 4, 4
    yield learning
    pieces = [3, 1, *map(int, rng.integers(33, 37, 2)), 1, 2]
    yield case(
        rng,
        "gradients through the cache",
        2,
        sum(pieces),
        9,
        3,
        pieces,
        wants=learned,
        rule=GRADIENTS,
        note="What a later token finds in the cache teaches the earlier one that put it there, also more than seventy tokens later.",
    )
    yield case(
        rng,
        "523 steps",
        2,
        523,
        256,
        4,
        [1] * 523,
        cpu_factor=4,
        rule=COST,
        note="A text written token by token, by a module 256 numbers wide.",
    )
    first = int(rng.integers(1090, 1110))
    yield case(
        rng,
        "more than a thousand tokens",
        1,
        first + 3,
        3,
        1,
        [first, 1, 2],
        same="one text and one head: B = H = 1",
        slow=True,
        rule=PIECES,
        note="Nothing is dropped, however long the text is.",
    )


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


def asked(rng, asks, answers, B=2, H=2, D=5):
    """In each head, column 0 of a token asks and column 1 answers; the score is the product of the
    two. The values do not have these columns.
    """
    n, E = len(asks), H * D
    x = normal(rng, B, n, H, D)
    x[..., 0] = np.array(asks)[:, None]
    x[..., 1] = np.sqrt(D) * np.array(answers)[:, None]
    state = weights(rng, E)
    for name, column in (("W_q.weight", 0), ("W_k.weight", 1)):
        pick = np.zeros((D, D), dtype=np.float32)
        pick[0, column] = 1
        state[name] = np.kron(np.eye(H, dtype=np.float32), pick)
    state["W_v.weight"].reshape(E, H, D)[..., :2] = 0
    return {"inputs": {"x": x.reshape(B, n, E)}, "state": state}


def cancelling(rng, B=2, n=7, H=2, D=10):
    """Tokens 1 and 2 are a pair: the weight of the second is `ratio` times that of the first, and
    values near 1e5 cancel in the heads; so does, in the output, what the columns of a head have in
    common. About 1 is left, of which a rounding to float32 anywhere is more than 1e-4. Token 1,
    which does not see its partner, does not look at itself. Every score has the same large part,
    which a softmax ignores. The columns of x are mixed, so that all numbers have all their digits:
    in each head 4 ask, 4 answer and the others are the value.
    """
    E, V = H * D, D - 8
    q = 1.5 * rng.standard_normal((B, n, H, 4))
    k = rng.standard_normal((B, n, H, 4))
    k[:, 2] = k[:, 1]
    v = 1e-5 * rng.standard_normal((B, n, H, V))
    ratio = rng.uniform(1.5, 3, (B, H, 1))
    q[..., 0], k[..., 0] = 0, 0
    q[:, 1, :, 0], k[:, 1, :, 0] = -60 * np.sqrt(D), 1  # token 1 passes over itself
    q[..., -2:] = np.sqrt(D) * np.array([17.3, 1])
    k[..., -2:] = [18.7, 0]
    k[:, 2, :, -1:] = np.log(ratio)
    large = rng.standard_normal((B, H, V))
    v[:, 1] += large
    v[:, 2] -= large / ratio
    mix = np.linalg.qr(rng.standard_normal((E, E)))[0]
    turn = np.linalg.qr(rng.standard_normal((D, D)))[0]
    state, parts = {}, {"W_q": slice(0, 4), "W_k": slice(4, 8), "W_v": slice(8, D)}
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


def domain(rng):
    """Any sizes, heads and pieces, scores on the scale of 1 to 10 000, both dtypes."""
    for number in range(60):
        B, n, H, D = map(int, rng.choice([1, 1, 2, 3, 4], 4))
        E, dtype = H * D, rng.choice([np.float32, np.float64])
        spread = rng.choice([1, 1, 5, 30])
        pieces = [int(p) for p in rng.integers(1, 4, n)]
        total, options = sum(pieces), {"pieces": pieces}
        inputs = {"x": (spread * rng.standard_normal((B, total, E))).astype(dtype)}
        if rng.random() < 0.5:
            m = int(rng.integers(2, 5))
            inputs["aside"] = rng.standard_normal((B, m, E)).astype(dtype)
            options |= {"at": int(rng.integers(n)), "fresh": bool(rng.random() < 0.5)}
        yield Case(
            str(number),
            inputs=inputs,
            options=options,
            init={"d_model": E, "num_heads": H},
            state={name: w.astype(dtype) * dtype(1.01) for name, w in weights(rng, E).items()},
        )
