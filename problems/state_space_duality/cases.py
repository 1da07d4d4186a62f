"""State space duality: decays differ from token to token and are such that a state is neither
forgotten at once nor kept whole, unless a case is about that. Where a case does not check the chunk,
it divides the number of tokens and there are several.
"""

import numpy as np

from grader.case import Case, in_float64

ANY_CHUNK = "Any chunk gives the same answer"
ENDS = "A decay from 0 to 1"
OVERFLOW = "Nothing overflows"
EXACT = "Exact behind a small decay"
PAST = "The future changes nothing"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
COST = "Costs little for long sequences"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"

NAMES = ("x", "a", "b", "c")


def tensors(rng, B, H, n, D, Dv, least=0.4, most=0.95, digits=None):
    """Decays from `least` to `most`, one for each token and head."""
    inputs = {
        "x": rng.standard_normal((B, H, n, Dv)),
        "a": rng.uniform(least, most, (B, H, n)),
        "b": rng.standard_normal((B, n, D)),
        "c": rng.standard_normal((B, n, D)),
    }
    if digits is not None:
        inputs = {name: np.round(x, digits) + 0.0 for name, x in inputs.items()}
    return {name: x.astype(np.float32) for name, x in inputs.items()}


def decays(rng, inputs, *ranges):
    """The same with the decays of each head in one of these ranges, in random order."""
    _, H, n = inputs["a"].shape
    a = np.empty_like(inputs["a"])
    for head, place in enumerate(rng.permutation(H)):
        least, most = ranges[place]
        a[:, head] = rng.uniform(least, most, (len(a), n))
    return inputs | {"a": a}


def ends(rng, inputs, chunk):
    """Zeros and ones among the decays: each head has a zero in a first and in a last token of a
    chunk, two zeros in one chunk, and ones before them; the first one has a zero at the first token.
    """
    a = inputs["a"]
    a[:, 0, 0] = 0
    for text in a:
        for head in text:
            first, last, pair = rng.permutation(len(head) // chunk - 1)[:3] + 1
            zeros = [first * chunk, last * chunk + chunk - 1, pair * chunk + 1, pair * chunk + 3]
            head[np.array(zeros) - 1] = 1
            head[zeros] = 0
    return inputs


def fading_away(a, chunk):
    """The same decays but for a factor, such that the product over each chunk is 2e-44."""
    parts = a.reshape(*a.shape[:-1], -1, chunk).astype(float)
    factors = 2e-44 / parts.prod(axis=-1, keepdims=True)
    return (parts * factors ** (1 / chunk)).astype(np.float32).reshape(a.shape)


def small_numbers(inputs):
    """Small inputs, of which the first column is 0 and the last one faint; a row of `c` and one of
    `b` are 0, and another row of each is faint. Powers of two round nothing.
    """
    x, a, b, c = inputs.values()
    c[:, 1], b[:, 2] = 0, 0
    c[:, -1], b[:, 0] = c[:, -1] / 2**15, b[:, 0] / 2**15
    x[..., 0], x[..., -1] = 0, x[..., -1] / 2**4
    x[:, :, 0] *= 2**12
    return {"x": x / 2**10, "a": a, "b": b / 2**8, "c": c * 2**6}


def large_numbers(inputs):
    """Large `b` and `x`."""
    return inputs | {"x": inputs["x"] * 2**10, "b": inputs["b"] * 2**16, "c": inputs["c"] / 2**12}


def loud_long_ago(rng, B, H, D, Dv):
    """Two chunks of 48. Loud words at the beginning of each, and at the end of the first; faint
    readers before that and at the end, when what they read has nearly faded. A row and a column of
    `b` and of `c`, and a column of `x`, have zeros.
    """
    inputs = tensors(rng, B, H, 96, D, Dv, least=0.7, most=0.75)
    x, a, b, c = inputs.values()
    x[:, :, 0:5], x[:, :, 43:53] = x[:, :, 0:5] * 2**20, x[:, :, 43:53] * 2**20
    asked = np.r_[34:42, 84:96]
    c[:, np.setdiff1d(np.arange(96), asked)] = 0
    c[:, 38], c[:, -1, 0] = 0, 0
    b[:, 3], b[:, 45], b[:, 46, 0], b[:, 50, 0], x[..., 0] = 0, 0, 0, 0, 0
    return {"x": x, "a": a, "b": b, "c": c / 2**22}


def read_late(rng, B, H, D, Dv):
    """Three chunks of 32. Eight loud words at the end of the first have nearly faded when the third
    begins, which alone reads: over the second chunk the decays multiply to less than 1e-8. In the last
    example two loud words at the beginning of the first chunk have nearly faded at its end, and the
    second one reads, too.
    """
    inputs = tensors(rng, B, H, 96, D, Dv, least=0.7, most=0.75)
    inputs["a"][:-1, :, 32:64] -= np.float32(0.2)
    inputs["x"][:-1, :, 24:32] *= 2.0**35
    inputs["x"][-1, :, :2] *= 2**20
    inputs["c"][:-1, :64], inputs["c"][-1, :32] = 0, 0
    return inputs


def cancelling(rng, B, H, pairs, D, Dv):
    """Behind a first token, tokens in pairs with one `b` and values near 1e5 that cancel but for
    about 1, once the first has faded by one step; only the second of a pair reads. The first token is
    as loud, and every reader is at right angles to its `b`. A rounding to float32 anywhere leaves more
    than 1e-3 of that.
    """
    inputs = tensors(rng, B, H, 1 + 2 * pairs, D, Dv, 0.7, 0.95)
    x, a, b, c = (m.astype(float) * rng.uniform(0.97, 1, m.shape) for m in inputs.values())
    c[:, 1::2] = 0
    b[:, 2::2] = b[:, 1::2]
    large = 1e5 * rng.standard_normal((B, H, pairs, Dv))
    x[:, :, 1::2] += large
    x[:, :, 2::2] -= a[:, :, 2::2, None] * large
    x[:, :, 0] *= 1e5
    loud = b[:, :1]
    c -= (c * loud).sum(-1, keepdims=True) / (loud**2).sum(-1, keepdims=True) * loud
    return {"x": x, "a": a, "b": b, "c": c}


def cases(rng):
    yield Case(
        "four words, two heads",
        inputs=tensors(rng, B=1, H=2, n=4, D=3, Dv=5, digits=1),
        options={"chunk": 2},
        sample=True,
        labels=("The", "cat", "sat", "down"),
        note="Each word reads itself and what is left of the words before it, two words at a time.",
    )
    anew = tensors(rng, B=1, H=2, n=6, D=3, Dv=4, digits=1)
    anew["a"][0] = np.float32([[0.5, 1, 0.5, 0, 0.5, 0.5], [0.9, 0.9, 0.9, 0.9, 0, 1]])
    yield Case(
        "a state that begins anew",
        inputs=anew,
        options={"chunk": 3},
        sample=True,
        rule=ENDS,
        labels=("It", "rained", ".", "We", "stayed", "home"),
        note="The first head forgets everything at the fourth word, the second at the fifth.",
    )
    yield Case(
        "three words, chunks of two",
        inputs=tensors(rng, B=1, H=2, n=3, D=4, Dv=5, digits=1),
        options={"chunk": 2},
        sample=True,
        rule=ANY_CHUNK,
        labels=("The", "cat", "sat"),
        note="The last chunk has one word.",
    )
    yield Case(
        "three heads",
        inputs=large_numbers(tensors(rng, B=2, H=3, n=8, D=5, Dv=4)),
        options={"chunk": 4},
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield Case(
        "a reader of zeros",
        inputs=small_numbers(tensors(rng, B=3, H=4, n=6, D=5, Dv=7)),
        options={"chunk": 2},
        layout=dict.fromkeys("xac", "transposed"),
        note="A row of b and one of c are 0 everywhere, and another row of each is faint.",
    )
    # products of the first two heads are far from what half precision can hold
    loud = tensors(rng, B=2, H=3, n=96, D=5, Dv=4)
    loud = decays(rng, loud, (0.99, 0.999), (0.97, 0.99), (0.85, 0.95))
    yield Case(
        "96 words",
        inputs=loud | {"x": loud["x"] * 2**10, "b": loud["b"] * 2**16},
        options={"chunk": 32},
        note="Three chunks, and heads that keep what they have for long.",
    )
    yield Case(
        "96 words, loud long ago",
        inputs=loud_long_ago(rng, B=2, H=3, D=4, Dv=5),
        options={"chunk": 48},
        note="Only a few words read, faintly, when the loud ones have nearly faded.",
    )
    yield Case(
        "96 words, read late",
        inputs=read_late(rng, B=2, H=3, D=6, Dv=4),
        options={"chunk": 32},
        note="The last of three chunks reads, in one example the second too, and what has nearly faded is all that there is.",
    )
    yield Case(
        "seven words in chunks of three",
        inputs=tensors(rng, B=2, H=3, n=7, D=5, Dv=4),
        options={"chunk": 3},
        rule=ANY_CHUNK,
        note="The chunk does not divide the number of words.",
    )
    long = tensors(rng, B=1, H=3, n=1009, D=4, Dv=5)
    long = decays(rng, long, (0.85, 0.95), (0.93, 0.99), (0.999, 1))
    long["x"], long["b"], long["c"] = long["x"] / 2**10, long["b"] / 2**10, long["c"] * 2**18
    long["x"][long["a"].min(axis=2) > 0.99] /= 2**3  # hundreds of words are no louder than some
    long["b"][:, 20::61] = 0  # a whole row and one number of a row, anywhere in a chunk
    long["b"][:, 30::53, 0] = 0
    yield Case(
        "1009 words in chunks of 64",
        inputs=long,
        options={"chunk": 64},
        rule=ANY_CHUNK,
        note="A prime number of words, which no chunk divides. One head keeps them all.",
    )
    yield Case(
        "chunks of one word",
        inputs=tensors(rng, B=2, H=3, n=6, D=5, Dv=4),
        options={"chunk": 1},
        rule=ANY_CHUNK,
        note="Each word is a chunk: this is the recurrence.",
    )
    yield Case(
        "one chunk for all",
        inputs=tensors(rng, B=3, H=2, n=7, D=4, Dv=5),
        options={"chunk": 7},
        rule=ANY_CHUNK,
        note="The chunk is the whole text, and nothing lies before it.",
    )
    yield Case(
        "a chunk longer than the text",
        inputs=tensors(rng, B=2, H=7, n=5, D=3, Dv=6),
        options={"chunk": 64},
        rule=ANY_CHUNK,
        note="Five words, and a chunk of up to 64.",
    )
    near = tensors(rng, B=2, H=3, n=12, D=5, Dv=4)
    yield Case(
        "decays close to one",
        inputs=decays(rng, near, (0.9998, 0.9999), (0.999, 1), (0.9, 1)),
        options={"chunk": 4},
        rule=ENDS,
        note="Hardly anything is forgotten.",
    )
    faint = tensors(rng, B=2, H=3, n=12, D=4, Dv=5)
    faint = decays(rng, faint, (5e-5, 8e-5), (0.001, 0.003), (0.01, 0.03))
    for loud_word in (5, 8):  # at the end of a chunk, and inside one
        faint["c"][:, loud_word] = 0
        faint["x"][:, :, loud_word] *= 2**26
        faint["a"][:, :, loud_word + 1] = rng.uniform(1, 2, (2, 3)) / 2**26
    yield Case(
        "decays close to zero",
        inputs=faint,
        options={"chunk": 6},
        rule=ENDS,
        note="Little is left of a word after one step, but not nothing. Two words are so loud that what is left of them counts.",
    )
    yield Case(
        "zeros and ones among others",
        inputs=ends(rng, tensors(rng, B=2, H=3, n=25, D=6, Dv=4), chunk=5),
        options={"chunk": 5},
        rule=ENDS,
        note="A zero at the first word of a chunk, one at the last, and two in one chunk.",
    )
    kept = tensors(rng, B=1, H=2, n=480, D=3, Dv=4)
    kept = decays(rng, kept, (0, 0), (1, 1))
    kept["x"][kept["a"] == 1] /= 2**4  # hundreds of words together are no louder than one
    yield Case(
        "480 words, nothing or all forgotten",
        inputs=kept,
        options={"chunk": 48},
        rule=ENDS,
        note="One head sees each word alone, the other all the words before it, however long ago.",
    )
    quick = tensors(rng, B=2, H=3, n=375, D=4, Dv=5)
    yield Case(
        "375 words, soon forgotten",
        inputs=decays(rng, quick, (0.01, 0.02), (0.15, 0.25), (0.35, 0.45)),
        options={"chunk": 125},
        rule=OVERFLOW,
        note="The product over a chunk is 0 in float32.",
    )
    fading = tensors(rng, B=2, H=3, n=128, D=4, Dv=5, least=0.15, most=0.3)
    yield Case(
        "128 words, hardly anything kept over a chunk",
        inputs=fading | {"a": fading_away(fading["a"], 64)},
        options={"chunk": 64},
        rule=EXACT,
        note="Each decay is about a fifth, and the product over a chunk is so near to 0 that float32 "
        "has hardly a digit left for it.",
    )
    deep = tensors(rng, B=1, H=2, n=490, D=4, Dv=3)
    for head, power in enumerate(rng.permutation([-30, -19])):
        deep["a"][:, head, 1::2] = 10.0 ** rng.uniform(power, power + 1, 245)
    yield Case(
        "490 words in one chunk, some forget nearly everything",
        inputs=deep,
        options={"chunk": 490},
        rule=EXACT,
        note="Every second word has a decay near 1e-30 in one head, and near 1e-19 in the other. What follows it is as exact as ever.",
    )
    late = tensors(rng, B=2, H=3, n=9, D=4, Dv=5)
    late["x"][:, :, -1], late["b"][:, -1], late["c"][:, -1] = 5e3, 1e4, 0
    yield Case(
        "a shout at the end",
        inputs=late,
        options={"chunk": 3},
        rule=PAST,
        note="The last word is enormous, and reads nothing. Nobody before it may hear it.",
    )
    yield Case(
        "square",
        inputs=tensors(rng, B=4, H=4, n=4, D=4, Dv=4),
        options={"chunk": 2},
        rule=EQUAL,
        same="all sizes are 4, so a decay along a wrong axis has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "one word",
        inputs=tensors(rng, B=2, H=3, n=1, D=4, Dv=5),
        options={"chunk": 1},
        rule=ONE,
        note="A word alone has only itself to read.",
    )
    yield Case(
        "one text, one head",
        inputs=tensors(rng, B=1, H=1, n=6, D=4, Dv=3),
        options={"chunk": 2},
        rule=ONE,
        same="B = H = 1",
        note="One number a step.",
    )
    yield Case(
        "one word of one text",
        inputs=tensors(rng, B=1, H=1, n=1, D=4, Dv=1),
        options={"chunk": 1},
        rule=ONE,
        same="B = H = n = Dv = 1: one number is written, and one is read",
        note="One word, one head and one number, in a state of four.",
    )
    yield Case(
        "vectors of one number",
        inputs=tensors(rng, B=2, H=3, n=6, D=1, Dv=1),
        options={"chunk": 3},
        rule=ONE,
        same="the narrowest state there is: D = Dv = 1",
        note="D = Dv = 1: the state is a single number.",
    )
    document = tensors(rng, B=1, H=1, n=131071, D=2, Dv=3, least=0.85, most=0.99)
    document["a"][:, :, 65536:] = rng.uniform(0.9999, 1, 65535)
    document["x"][:, :, 65536:] /= 2**6
    yield Case(
        "131071 words",
        inputs=document,
        options={"chunk": 64},
        memory_mib=512,
        cpu_factor=4,  # with 10, a Python loop over the tokens passes on some machines
        rule=COST,
        same="B = H = 1: one head of one text is enough, and cheap",
        note="A long document, little memory and little time. In its second half, words are kept for long.",
    )
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng, B=2, H=3, pairs=16, D=4, Dv=6),
        options={"chunk": 11},
        rule=PRECISION,
        note="Double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield Case(
        "cancelling values in float64, one chunk",
        inputs=cancelling(rng, B=2, H=3, pairs=5, D=4, Dv=6),
        options={"chunk": 11},
        rule=PRECISION,
        note="Double precision, and nothing was there before the only chunk.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=tensors(rng, B=2, H=4, n=6, D=3, Dv=5),
            options={"chunk": 3},
            wants=tuple(f"after.{name}" for name in NAMES),
            rule=ALONE,
            note="The caller goes on using the four arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=tensors(rng, B=2, H=4, n=6, D=3, Dv=7),
        options={"chunk": 2},
        layout=dict.fromkeys(NAMES, "readonly"),
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=tensors(rng, B=3, H=4, n=8, D=5, Dv=6),
        options={"chunk": 4},
        layout=dict.fromkeys(NAMES, "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
    )
    yield Case(
        "a second call",
        inputs=tensors(rng, B=2, H=3, n=10, D=7, Dv=5),
        options={"chunk": 5},
        before=tensors(rng, B=2, H=3, n=10, D=7, Dv=5),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield Case(
        "gradients",
        inputs=tensors(rng, B=2, H=3, n=8, D=4, Dv=5),
        options={"chunk": 4},
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch the decays learn too.",
    )
    yield Case(
        "gradients over 300 words",
        inputs=tensors(rng, B=1, H=2, n=300, D=3, Dv=4, least=0.9, most=0.98),
        options={"chunk": 60},
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch: over several chunks, to the first word.",
    )
    yield Case(
        "gradients at decays of zero and one",
        inputs=ends(rng, tensors(rng, B=2, H=3, n=20, D=4, Dv=6), chunk=5),
        options={"chunk": 5},
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=ENDS,
        note="In PyTorch: a decay of 0 learns as well, and no gradient is NaN.",
    )


def domain(rng):
    """Any small sizes, sometimes of many chunks, any decay and both dtypes."""
    for number in range(60):
        B, H, D, Dv = map(int, rng.choice([1, 1, 2, 3, 4], 4))
        n = int(rng.choice([1, 2, 3, 5, 12, 35, 70]))
        inputs = tensors(rng, B, H, n, D, Dv)
        if rng.random() < 0.6:
            inputs["a"] = rng.choice([0, 1e-5, 0.003, 0.3, 0.99, 1], (B, H, n))
        for name in "xbc":
            kept = rng.random(inputs[name].shape) < rng.choice([0.5, 1, 1])
            inputs[name] = inputs[name] * kept * rng.choice([1e-3, 1, 1, 100])
        dtype = rng.choice([np.float32, np.float64])
        yield Case(
            str(number),
            inputs={name: x.astype(dtype) for name, x in inputs.items()},
            options={"chunk": int(rng.choice([1, 2, 3, 5, 16, 64]))},
        )
