"""Additive attention: the hidden layer is neither flat nor saturated, and the scores have a spread
of about 1.5, unless a case is about the opposite.
"""

import numpy as np

from grader.case import Case, in_float64

PADDING = "Padding takes no part"
NOTHING = "A query that sees nothing gets zeros"
ENTRIES = "Large entries"
LARGE = "Large scores"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views"
REMEMBERS = "Remembers nothing between calls"
RANDOM = "Nothing is random"
GRADIENTS = "Gradients flow"

ARRAYS = ("queries", "keys", "values")
LEARNED = ("W_q.weight", "W_k.weight", "v.weight")
GRADS = ("output", *(f"grad.{name}" for name in (*ARRAYS, *LEARNED)))


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def tokens(rng, B, L, S, Dq, Dk, Dv):
    return {
        "queries": normal(rng, B, L, Dq),
        "keys": normal(rng, B, S, Dk),
        "values": normal(rng, B, S, Dv),
    }


def layers(rng, Dq, Dk, hidden):
    """Projections of about the same size, and scores with a spread of about 1.5."""
    return {
        "W_q.weight": normal(rng, hidden, Dq) / np.float32(np.sqrt(Dq)),
        "W_k.weight": normal(rng, hidden, Dk) / np.float32(np.sqrt(Dk)),
        "v.weight": normal(rng, 1, hidden) * np.float32(2.5 / np.sqrt(hidden)),
    }


def rounded(arrays):
    return {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}


def case(rng, name, sizes, hidden, lengths=None, **rest):
    """`sizes` are B, L, S, Dq, Dk and Dv."""
    inputs = tokens(rng, *sizes)
    if lengths is not None:
        inputs["lengths"] = np.array(lengths)
    *_, Dq, Dk, _ = sizes
    return Case(
        name,
        inputs=inputs,
        init={"query_dim": Dq, "key_dim": Dk, "hidden_dim": hidden},
        state=layers(rng, Dq, Dk, hidden),
        **rest,
    )


def scaled(case, **powers):
    """Arrays and layers multiplied by powers of two, which rounds nothing."""
    for name, power in powers.items():
        array = case.inputs.get(name, case.state.get(f"{name}.weight"))
        array[...] *= 2.0**power
    return case


def switched(case, v, asks):
    """The first hidden unit alone reads the first number of a query, and nothing of a key: it
    adds v * tanh(asks) to every score of a row.
    """
    w_q, w_k, out = case.state.values()
    w_q[0], w_q[:, 0], w_k[0], out[0, 0] = 0, 0, 0, v
    w_q[0, 0] = 1
    case.inputs["queries"][..., 0] = asks
    return case


def marked(case, v, says):
    """The first hidden unit alone reads the first number of a key, and nothing of a query: it
    adds v * tanh(says) to the scores of a key.
    """
    w_q, w_k, out = case.state.values()
    w_q[0], w_k[0], w_k[:, 0], out[0, 0] = 0, 0, 0, v
    w_k[0, 0] = 1
    case.inputs["keys"][..., 0] = says
    return case


def cases(rng):
    yield Case(
        "two queries, three words",
        inputs=rounded(tokens(rng, 1, 2, 3, 4, 5, 2)),
        init={"query_dim": 4, "key_dim": 5, "hidden_dim": 3},
        state=rounded(layers(rng, 4, 5, 3)),
        sample=True,
        same="values of two numbers, and two queries: L = Dv",
        note="Two states of a decoder look at three words of a source.",
    )
    yield Case(
        "two words and a padding",
        inputs={**rounded(tokens(rng, 1, 2, 3, 4, 5, 6)), "lengths": np.array([2])},
        init={"query_dim": 4, "key_dim": 5, "hidden_dim": 7},
        state=rounded(layers(rng, 4, 5, 7)),
        sample=True,
        rule=PADDING,
        note="The last key is padding, and nobody looks at it.",
    )
    yield scaled(
        case(
            rng,
            "all sizes differ",
            (2, 3, 5, 6, 4, 7),
            9,
            note="All sizes differ, so no axis can stand in for another.",
        ),
        queries=-12,
        W_q=12,
        keys=10,
        W_k=-10,
        values=16,
    )
    quiet = case(
        rng,
        "a query of zeros",
        (2, 4, 5, 6, 3, 7),
        8,
        note="One query and one key are 0 everywhere, and one query is faint.",
    )
    queries, keys, values = quiet.inputs.values()
    queries[:, 1], queries[:, 2], keys[:, 3] = 0, queries[:, 2] / 2**15, 0
    values[:, 3] *= 64
    values[..., 0], values[..., -1] = 0, values[..., -1] / 2**4
    quiet.state["v.weight"][0, 2] = quiet.state["W_q.weight"][0, 1] = 0
    yield scaled(quiet, queries=8, W_q=-8, keys=-14, W_k=14, values=-12)
    yield scaled(
        case(
            rng,
            "faint scores",
            (3, 4, 6, 5, 7, 2),
            11,
            note="The hidden layer hardly bends, and the last layer makes up for it.",
        ),
        queries=-15,
        keys=-15,
        v=17,
    )
    small = case(
        rng,
        "a word with a small weight",
        (2, 3, 5, 4, 6, 7),
        8,
        note="One key of each text has hardly any weight, and a large value.",
    )
    # between 1e-5 and 1e-4 under every seed: the other units hardly count
    small.state["v.weight"] *= np.float32(0.2)
    place = rng.permutation([15, 15, 15, 15, -15])
    small.inputs["values"][:, place < 0] *= 500
    yield marked(small, 4.4, place)
    even = case(
        rng,
        "faint queries",
        (2, 3, 7, 6, 5, 4),
        8,
        note="All queries are faint, and the last layer is loud.",
    )
    w_q, w_k, v = even.state.values()
    # at a query of 0 the two units of a pair cancel, so that the score shows how large it is
    w_q[1::2], w_k[1::2], v[:, 1::2] = w_q[::2], -w_k[::2], v[:, ::2]
    yield scaled(even, queries=-12, v=12)
    alike = case(
        rng,
        "words that hardly differ",
        (2, 5, 6, 4, 3, 7),
        8,
        wants=("output",),
        note="All scores are close to 0, and the values cancel but for what the scores say.",
    )
    alike.inputs["values"][:, 3:] = -alike.inputs["values"][:, :3]
    yield scaled(alike, v=-12, values=12)
    yield case(
        rng,
        "a longer text",
        (2, 67, 101, 8, 5, 3),
        16,
        layout={"queries": "transposed", "values": "transposed"},
        note="67 queries and 101 keys.",
    )
    yield case(
        rng,
        "texts of different lengths",
        (4, 4, 7, 5, 6, 2),
        8,
        [4, *rng.permutation([1, 6, 7])],
        rule=PADDING,
        same="as many texts as queries: B = L, so that a mask along a wrong axis has a right shape",
        note="One text has a single word, another no padding at all.",
    )
    yield case(
        rng,
        "as many texts as words",
        (5, 3, 5, 4, 6, 2),
        7,
        [3, *rng.permutation([1, 2, 4, 5])],
        rule=PADDING,
        same="B = S, so that lengths along a wrong axis have a right shape",
        note="A length belongs to an example.",
    )
    # bfloat16 rounds the number of the last word up to the length, if that is a multiple of 4
    yield case(
        rng,
        "hundreds of words",
        (2, 4, 300, 5, 3, 6),
        8,
        [4 * rng.integers(65, 75), rng.integers(130, 250)],
        rule=PADDING,
        note="300 keys. In both texts the last of them are padding.",
    )
    loud = case(
        rng,
        "padding that shouts",
        (3, 4, 6, 5, 2, 7),
        8,
        rng.permutation([2, 3, 5]),
        rule=PADDING,
        note="The padding holds entries of thousands, which nobody may see.",
    )
    for row, length in enumerate(loud.inputs["lengths"]):
        loud.inputs["keys"][row, length:] *= 3000
        loud.inputs["values"][row, length:] = 9000
    yield loud
    yield case(
        rng,
        "a text without words",
        (3, 4, 5, 6, 7, 2),
        8,
        rng.permutation([0, 5, 5]),
        rule=NOTHING,
        note="One of the three texts is empty, and the others have no padding.",
    )
    yield case(
        rng,
        "nothing but padding",
        (2, 3, 4, 5, 6, 7),
        9,
        [0, 0],
        rule=NOTHING,
        note="Both texts are empty.",
    )
    wide = case(
        rng,
        "entries of ten thousand",
        (2, 5, 6, 4, 3, 7),
        8,
        rule=ENTRIES,
        note="Queries and keys up to 10 000: every hidden unit is 1 or -1.",
    )
    for name in ("queries", "keys"):
        array = wide.inputs[name]
        array[...] = np.clip(array * np.float32(4000), -10_000, 10_000)
    yield wide
    enormous = case(
        rng,
        "one word of ten thousand",
        (2, 3, 5, 4, 6, 7),
        8,
        rule=ENTRIES,
        note="One key of each text is enormous, and the others are ordinary.",
    )
    enormous.inputs["keys"][:, 2] *= 2000
    yield enormous
    high = case(
        rng,
        "high scores and low ones",
        (2, 4, 5, 6, 3, 7),
        8,
        rule=LARGE,
        note="All scores of a row lie hundreds above 0, or hundreds below it.",
    )
    yield switched(high, 900, [[15, -15, -15, 15], [-15, -15, 15, 15]])
    apart = case(
        rng,
        "scores that are far apart",
        (2, 3, 5, 4, 6, 7),
        8,
        rule=LARGE,
        note="Some keys of a text are hundreds ahead of the others.",
    )
    yield marked(apart, 300, rng.permutation([15, -15, 15, -15, 15]))
    low = case(
        rng,
        "a low score beside padding",
        (2, 3, 6, 4, 5, 7),
        8,
        [1, 1],
        rule=LARGE,
        note="The only word of each text has a score just above -10 000.",
    )
    low.state["v.weight"][0, 1:] *= np.float32(0.2)
    yield switched(low, -9998.5, 15)
    lengths = rng.permutation([2, 3])
    above = case(
        rng,
        "padding with high scores",
        (2, 4, 7, 3, 5, 6),
        8,
        lengths,
        rule=LARGE,
        note="The padding scores thousands above 0, and the words thousands below it.",
    )
    yield marked(above, 9000, np.where(np.arange(7) < lengths[:, None], -15, 15))
    yield case(
        rng,
        "square",
        (4, 4, 4, 4, 4, 4),
        4,
        rule=EQUAL,
        same="all sizes are 4, so only the meaning of the axes is left to go by",
        note="As many examples as queries, keys and numbers in each vector.",
    )
    yield case(
        rng,
        "one query, one word",
        (2, 1, 1, 4, 5, 3),
        6,
        rule=ONE,
        same="a single query meets a single key: L = S = 1",
        note="The only weight is 1.",
    )
    yield case(
        rng,
        "one example",
        (1, 3, 5, 4, 6, 7),
        8,
        rule=ONE,
        note="A batch of one is still a batch.",
    )
    yield case(
        rng,
        "vectors of one number",
        (2, 3, 4, 1, 1, 1),
        1,
        rule=ONE,
        same="the narrowest vectors there are: Dq = Dk = Dv = 1",
        note="Queries, keys, values and the hidden layer are one number wide.",
    )
    yield case(
        rng,
        "one of everything",
        (1, 1, 1, 1, 1, 1),
        1,
        rule=ONE,
        same="all sizes are 1",
        note="A single number looks at a single number.",
    )
    yield Case(
        "cancelling values in float64",
        **cancelling(rng, B=2, L=3, pairs=4, Dq=5, Dk=6, Dv=7),
        rule=PRECISION,
        note="The module in double precision: large parts cancel, and what is left shows each rounding.",
    )
    yield in_float64(
        case(
            rng,
            "inputs stay as they were",
            (3, 4, 5, 6, 7, 2),
            8,
            rng.permutation([2, 3, 4]),
            wants=tuple(f"after.{name}" for name in (*ARRAYS, "lengths")),
            rule=INPUTS,
            note="The tensors of the caller are looked at again after the call.",
        )
    )
    yield case(
        rng,
        "non-contiguous inputs",
        (3, 4, 6, 5, 7, 2),
        8,
        layout=dict.fromkeys(ARRAYS, "strided"),
        rule=VIEWS,
        note="The inputs are views with gaps between their elements.",
    )
    yield case(
        rng,
        "a second call",
        (2, 3, 6, 4, 5, 7),
        9,
        before=tokens(rng, 2, 3, 6, 4, 5, 7),
        rule=REMEMBERS,
        note="The same module was called before with other tokens: nothing may be kept from that call.",
    )
    yield case(
        rng,
        "no lengths, after a call with lengths",
        (2, 4, 7, 5, 3, 6),
        8,
        before={**tokens(rng, 2, 4, 7, 5, 3, 6), "lengths": np.array([3, 5])},
        rule=REMEMBERS,
        note="The same module was called before with lengths. Now all keys are real.",
    )
    yield case(
        rng,
        "other lengths",
        (3, 2, 7, 4, 5, 6),
        8,
        [6, 2, 5],
        before={**tokens(rng, 3, 2, 7, 4, 5, 6), "lengths": np.array([5, 6, 2])},
        rule=REMEMBERS,
        note="The same module was called before with the same lengths in another order.",
    )
    yield case(
        rng,
        "train mode",
        (2, 3, 5, 4, 7, 6),
        8,
        train=True,
        rule=RANDOM,
        note="Nothing here is random: train mode changes nothing.",
    )
    yield case(
        rng,
        "gradients",
        (2, 3, 4, 5, 6, 7),
        8,
        wants=GRADS,
        rule=GRADIENTS,
        note="The three arrays and the three layers learn.",
    )
    empty = case(
        rng,
        "gradients where a text is empty",
        (3, 2, 4, 5, 6, 7),
        8,
        [4, 0, 4],
        wants=tuple(name for name in GRADS if name != "grad.values"),
        rule=GRADIENTS,
        note="The empty text must not spoil the gradients of the others.",
    )
    # so that an even spread over the padding gives 0 as well: that is another rule
    empty.inputs["values"][1] = 0
    yield empty
    yield case(
        rng,
        "gradient of the values where a text is empty",
        (3, 2, 4, 5, 6, 7),
        8,
        [4, 0, 3],
        wants=("grad.values",),
        rule=NOTHING,
        note="An empty text adds nothing to the gradient of its values.",
    )
    yield case(
        rng,
        "longer texts than before",
        (2, 4, 6, 5, 3, 7),
        8,
        [6, 2],
        before={**tokens(rng, 2, 4, 3, 5, 3, 7), "lengths": np.array([1, 3])},
        rule=REMEMBERS,
        note="The same module was called before with shorter texts.",
    )
    lengths = rng.permutation([2, 3])
    loud = case(
        rng,
        "gradients beside padding with high scores",
        (2, 3, 5, 4, 6, 7),
        8,
        lengths,
        wants=GRADS,
        rule=GRADIENTS,
        note="The padding scores hundreds above the words. It learns nothing, and no gradient is NaN.",
    )
    yield marked(loud, 150, np.where(np.arange(5) < lengths[:, None], 0, 15))
    padded = cancelling(rng, B=3, L=4, pairs=5, Dq=5, Dk=6, Dv=7)
    padded["inputs"]["lengths"] = 2 * rng.permutation([2, 4, 5])  # no pair is cut in two
    yield Case(
        "cancelling values in float64, with padding",
        **padded,
        rule=PRECISION,
        note="Double precision once more, now with lengths.",
    )
    nothing = case(
        rng,
        "gradients where every text is empty",
        (2, 3, 4, 5, 6, 7),
        8,
        [0, 0],
        wants=tuple(name for name in GRADS if name != "grad.values"),
        rule=GRADIENTS,
        note="Nothing is learned, and the way back is still there.",
    )
    nothing.inputs["values"][:] = 0  # an even spread over the padding gives 0 as well
    yield nothing


def cancelling(rng, B, L, pairs, Dq, Dk, Dv, hidden=8):
    """Keys in pairs: the weight of the second is `ratio` times that of the first, whatever the
    query, and values near 1e5 cancel in the output but for about 1. Queries hold two numbers near
    3e5 whose difference the hidden layer sees. A rounding to float32 anywhere leaves more than
    1e-4 of the output. Every score has the same large part, which a softmax ignores.
    """
    q = rng.standard_normal((B, L, Dq))
    k = np.repeat(rng.standard_normal((B, pairs, Dk)), 2, axis=1)
    values = rng.standard_normal((B, 2 * pairs, Dv))
    ratio = rng.uniform(1.5, 3, (B, pairs, 1))
    w_q = rng.standard_normal((hidden, Dq)) / np.sqrt(Dq)
    w_k = rng.standard_normal((hidden, Dk)) / np.sqrt(Dk)
    v = rng.standard_normal((1, hidden)) * 2.5 / np.sqrt(hidden)
    # unit 0 reads the last number of a key, which tells the two of a pair apart
    w_k[:, -1], w_q[0], w_k[0] = 0, 0, 0
    w_k[0, -1], v[0, 0] = 1.37, 2.03
    k[:, ::2, -1:], k[:, 1::2, -1:] = 0, np.arctanh(np.log(ratio) / v[0, 0]) / w_k[0, -1]
    # unit 1 is the same for all
    w_q[1], w_k[1], v[0, 1] = 0, 0, 437.1
    w_q[1, 0], q[..., 0] = 0.7, 2.1
    w_q[:, 0] *= np.arange(hidden) == 1
    # the others see the difference of two large numbers
    w_q[2:, 2] = -w_q[2:, 1]
    q[..., 1:3] += 3.1e5 * rng.uniform(1, 2, (B, L, 1))
    large = 1e5 * rng.standard_normal((B, pairs, Dv))
    values[:, ::2] += large
    values[:, 1::2] -= large / ratio
    return {
        "inputs": {"queries": q, "keys": k, "values": values},
        "init": {"query_dim": Dq, "key_dim": Dk, "hidden_dim": hidden},
        "state": {"W_q.weight": w_q, "W_k.weight": w_k, "v.weight": v},
    }


def domain(rng):
    """Any small sizes and lengths, entries and scores up to 10 000, both dtypes."""
    for number in range(80):
        B, L, S, Dq, Dk, Dv, hidden = map(int, rng.choice([1, 1, 2, 3, 5], 7))
        dtype = rng.choice([np.float32, np.float64])
        lengths = rng.integers(0, S + 1, B) if rng.random() < 0.6 else None
        each = case(rng, str(number), (B, L, S, Dq, Dk, Dv), hidden, lengths)
        spread = np.float32(rng.choice([0, 1, 1, 30, 2000]))
        for name in ("queries", "keys"):
            each.inputs[name] = np.clip(each.inputs[name] * spread, -10_000, 10_000)
        each.state["v.weight"] *= np.float32(rng.choice([0, 1, 1, 30, 500]))
        yield Case(
            str(number),
            inputs={
                name: x if name == "lengths" else x.astype(dtype) * dtype(1.01)
                for name, x in each.inputs.items()
            },
            init=each.init,
            state={name: x.astype(dtype) * dtype(1.01) for name, x in each.state.items()},
            train=bool(rng.random() < 0.3),
        )
