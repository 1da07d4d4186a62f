"""Gated linear attention: gates between 0.4 and 0.95, so that a text of some words is neither
forgotten nor kept whole, unless a case is about that. Where a case does not check the chunk, the
chunk divides the number of words.
"""

import numpy as np

from grader.case import Case, in_float64

CHUNK = "Any chunk gives the same answer"
ENDS = "A gate from 0 to 1"
UNDERFLOW = "Nothing overflows"
PAST = "The future changes nothing"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
COST = "Costs little for long sequences"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"

NAMES = ("q", "k", "v", "gates")


def tensors(rng, B, H, n, D, Dv, least=0.4, most=0.95, digits=None):
    """Gates from `least` to `most`, each drawn by itself."""
    inputs = {
        "q": rng.standard_normal((B, H, n, D)),
        "k": rng.standard_normal((B, H, n, D)),
        "v": rng.standard_normal((B, H, n, Dv)),
        "gates": rng.uniform(least, most, (B, H, n, D)),
    }
    if digits is not None:
        inputs = {name: np.round(x, digits) + 0.0 for name, x in inputs.items()}
    return {name: x.astype(np.float32) for name, x in inputs.items()}


def some_of(rng, inputs, *gates):
    """The same with these gates in equal numbers, in random order from word to word."""
    B, H, n, D = inputs["gates"].shape
    column = np.resize(np.float32(gates), n)
    drawn = rng.permuted(np.tile(column, (B, H, D, 1)), axis=-1)
    return inputs | {"gates": drawn.swapaxes(-2, -1)}


def often_closed(rng, inputs):
    """Of the last 24 words of each 48, two thirds have gates around 1e-22, anywhere among them."""
    gates = inputs["gates"].copy()
    for start in range(24, gates.shape[2], 48):
        tiny = rng.permuted(np.broadcast_to(np.arange(24) < 16, (*gates.shape[:2], 4, 24)), axis=-1)
        half = gates[:, :, start : start + 24]
        half[tiny.swapaxes(-2, -1)] = rng.uniform(1e-22, 3e-22, tiny.sum())
    return inputs | {"gates": gates}


def small_numbers(inputs):
    """Small values, of which the first column is 0 and the last one faint; a query, a key and some
    entries are 0, and a query and a key are faint. Powers of two round nothing.
    """
    q, k, v, gates = inputs.values()
    q[:, :, 1], k[:, :, 2] = 0, 0
    q[:, :, -1], k[:, :, 0] = q[:, :, -1] / 2**15, k[:, :, 0] / 2**15
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**4
    v[:, :, 0] *= 2**12
    return {"q": q * 2**10, "k": k / 2**8, "v": v / 2**14, "gates": gates}


def large_numbers(inputs):
    """Large keys and values."""
    return inputs | {"q": inputs["q"] / 2**12, "k": inputs["k"] * 2**16, "v": inputs["v"] * 2**10}


def loud_at_first(rng, B, H, n, D, Dv):
    """Only the second half asks, faintly, when the loud words at the beginning have nearly faded; a
    key, a query and a column of the values are 0, and so are some entries.
    """
    inputs = tensors(rng, B, H, n, D, Dv, least=0.55, most=0.75)
    q, k, v, gates = inputs.values()
    v[:, :, :6] *= 2**20
    q[:, :, : n // 2], q[:, :, -2], q[:, :, -1, 0] = 0, 0, 0
    k[:, :, 8], k[:, :, 9, 0], k[:, :, n // 2, 0], v[..., 0] = 0, 0, 0, 0
    return {"q": q / 2**22, "k": k, "v": v * 2**14, "gates": gates}


def values_cancel(rng, B, H, pairs, D, Dv):
    """Behind a first token, tokens in pairs: the second has the key of the first as its gates have
    left it, and values near 1e5 cancel but for about 1. Only the second asks. A value, a gate, a
    key or a memory that is rounded to float32 leaves more than 1e-3 of that.
    """
    inputs = tensors(rng, B, H, 1 + 2 * pairs, D, Dv, 0.7, 0.95)
    q, k, v, gates = (x.astype(float) * rng.uniform(0.97, 1, x.shape) for x in inputs.values())
    q[:, :, 1::2] = 0
    k[:, :, 2::2] = k[:, :, 1::2] * gates[:, :, 2::2]
    large = 1e5 * rng.standard_normal((B, H, pairs, Dv))
    v[:, :, 1::2] += large
    v[:, :, 2::2] -= large
    return {"q": q, "k": k, "v": v, "gates": gates}


def scores_cancel(rng, B, H, n, D, Dv):
    """A first token with values near 1e5, and queries that stand at right angles to what the gates
    leave of its key, its own query too. A query, a gate or a score that is rounded to float32 shows what is not there.
    """
    inputs = tensors(rng, B, H, n, D, Dv, 0.7, 0.95)
    q, k, v, gates = (x.astype(float) * rng.uniform(0.97, 1, x.shape) for x in inputs.values())
    v[:, :, 0] *= 1e5
    gates[:, :, 0] = 1
    left = k[:, :, :1] * np.cumprod(gates, axis=2)
    q -= (q * left).sum(axis=-1, keepdims=True) / (left**2).sum(axis=-1, keepdims=True) * left
    return {"q": q, "k": k, "v": v, "gates": gates}


def cases(rng):
    yield Case(
        "four words, two heads",
        inputs=tensors(rng, B=1, H=2, n=4, D=3, Dv=5, digits=1),
        options={"chunk": 2},
        sample=True,
        labels=("The", "cat", "sat", "down"),
        note="Each word reads itself and what its gates leave of the words before it.",
    )
    yield Case(
        "a gate of zero and a gate of one",
        inputs=some_of(rng, tensors(rng, B=1, H=1, n=4, D=2, Dv=3, digits=1), 0, 1),
        options={"chunk": 2},
        sample=True,
        rule=ENDS,
        same="one text and one head: B = H = 1",
        note="Where the gate is 0 a number of the memory begins anew, where it is 1 nothing fades.",
    )
    yield Case(
        "a smaller last chunk",
        inputs=tensors(rng, B=1, H=2, n=3, D=4, Dv=5, digits=1),
        options={"chunk": 2},
        sample=True,
        rule=CHUNK,
        note="Two words, and then one that is left over.",
    )
    yield Case(
        "three heads",
        inputs=large_numbers(tensors(rng, B=2, H=3, n=12, D=5, Dv=4)),
        options={"chunk": 4},
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield Case(
        "a query of zeros",
        inputs=small_numbers(tensors(rng, B=2, H=4, n=9, D=5, Dv=7)),
        options={"chunk": 3},
        note="A query and a key are 0 everywhere, and another query and the first key are faint.",
    )
    yield Case(
        "72 words in three chunks",
        inputs=loud_at_first(rng, B=2, H=3, n=72, D=4, Dv=5),
        options={"chunk": 24},
        note="Only the second half of the text asks, when the loud words at its beginning have faded.",
    )
    yield Case(
        "one chunk",
        inputs=tensors(rng, B=1, H=2, n=211, D=3, Dv=4, least=0.52, most=0.75),
        options={"chunk": 211},
        rule=CHUNK,
        note="All words in a single chunk. No gate is small, and yet the product of all is 0 in float32.",
    )
    yield Case(
        "a chunk larger than the text",
        inputs=tensors(rng, B=2, H=4, n=5, D=3, Dv=6),
        options={"chunk": 64},
        rule=CHUNK,
        note="There are fewer words than fit into a chunk.",
    )
    yield Case(
        "chunks of one word",
        inputs=tensors(rng, B=3, H=2, n=7, D=5, Dv=4),
        options={"chunk": 1},
        rule=CHUNK,
        note="The words are taken one by one.",
    )
    loud = tensors(rng, B=2, H=3, n=101, D=5, Dv=4, least=0.85, most=0.99)
    yield Case(
        "101 words in chunks of 32",
        inputs=loud | {"k": loud["k"] * 2**16, "v": loud["v"] * 2**10},
        options={"chunk": 32},
        rule=CHUNK,
        note="Three chunks, and a last one that is not full.",
    )
    long = tensors(rng, B=1, H=2, n=1511, D=4, Dv=3, least=0.9, most=0.999)
    long["gates"][..., 0] = rng.uniform(0.9995, 1, long["gates"].shape[:-1])
    yield Case(
        "1511 words in chunks of 64",
        inputs=long,
        options={"chunk": 64},
        rule=CHUNK,
        note="A prime number of words, which no chunk divides. One number in four forgets slowly.",
    )
    yield Case(
        "gates close to one",
        inputs=some_of(rng, tensors(rng, B=2, H=3, n=60, D=4, Dv=5), 0.9999, 1, 0.999, 0.99),
        options={"chunk": 10},
        rule=ENDS,
        note="Hardly anything fades in sixty words, but something does.",
    )
    nearly = tensors(rng, B=3, H=2, n=12, D=5, Dv=4, least=6e-5, most=2e-3)
    for loud_word in (5, 8):  # at the end of a chunk, and inside one
        nearly["q"][:, :, loud_word] = 0
        nearly["v"][:, :, loud_word] *= 2**26
        nearly["gates"][:, :, loud_word + 1] = rng.uniform(1, 2, (3, 2, 5)) / 2**26
    yield Case(
        "gates close to zero",
        inputs=nearly,
        options={"chunk": 6},
        rule=ENDS,
        note="Little is left of a word after one step, but not nothing. Two words are so loud that what is left of them counts.",
    )
    yield Case(
        "gates of zero and one among others",
        inputs=some_of(rng, tensors(rng, B=3, H=2, n=8, D=5, Dv=4), 0, 1, 0.5, 0),
        options={"chunk": 4},
        rule=ENDS,
        note="Both ends of the range, and a gate between them.",
    )
    kept = tensors(rng, B=1, H=2, n=192, D=4, Dv=3)
    kept["gates"] = np.float32(rng.random(kept["gates"].shape) > 0.02)
    kept["gates"][:, 0, :, 0] = 1  # else it depends on the draw whether a whole chunk keeps all
    yield Case(
        "192 words, all kept or all forgotten",
        inputs=kept,
        options={"chunk": 64},
        rule=ENDS,
        note="All gates are 0 or 1: a number of the memory is kept whole until it begins anew.",
    )
    apart = tensors(rng, B=2, H=3, n=16, D=4, Dv=5, least=0.8, most=0.99)
    apart["gates"][:, :, [2, 4, 10, 11]] = rng.uniform(1e-22, 1e-20, (2, 3, 4, 4))
    yield Case(
        "next to nothing kept, twice a chunk",
        inputs=apart,
        options={"chunk": 8},
        rule=UNDERFLOW,
        note="The product of a chunk's gates is 0 in float32 long before its end, and what comes later counts.",
    )
    yield Case(
        "next to nothing kept, again and again",
        inputs=often_closed(rng, tensors(rng, B=2, H=3, n=96, D=4, Dv=5, least=0.8, most=0.99)),
        options={"chunk": 48},
        rule=UNDERFLOW,
        note="In the second half of a chunk most gates are so small that float64 cannot hold their product either.",
    )
    yield Case(
        "268 words, soon forgotten",
        inputs=tensors(rng, B=2, H=3, n=268, D=4, Dv=5, least=0.02, most=0.4),
        options={"chunk": 67},
        rule=UNDERFLOW,
        note="The products of these gates are 0 in float32 in the middle of a chunk.",
    )
    late = tensors(rng, B=2, H=3, n=8, D=4, Dv=5)
    late["q"][:, :, -1], late["k"][:, :, -1], late["v"][:, :, -1] = 0, 1e4, 5e3
    yield Case(
        "a shout at the end",
        inputs=late,
        options={"chunk": 4},
        rule=PAST,
        note="The last word is enormous, and asks nothing. Nobody before it may hear it.",
    )
    yield Case(
        "square",
        inputs=tensors(rng, B=4, H=4, n=4, D=4, Dv=4),
        options={"chunk": 4},
        rule=EQUAL,
        same="all sizes are 4, so gates along a wrong axis have a right shape",
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
        inputs=tensors(rng, B=1, H=1, n=9, D=4, Dv=3),
        options={"chunk": 3},
        rule=ONE,
        same="B = H = 1",
        note="A single memory.",
    )
    yield Case(
        "vectors of one number",
        inputs=tensors(rng, B=2, H=3, n=12, D=1, Dv=1),
        options={"chunk": 4},
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1: the memory is a single number.",
    )
    yield Case(
        "32771 words",
        inputs=tensors(rng, B=1, H=1, n=32771, D=1, Dv=3, least=0.9, most=0.99),
        options={"chunk": 96},
        memory_mib=256,
        cpu_factor=5,
        rule=COST,
        same="B = H = D = 1: one number of one head is enough, and cheap",
        note="A long document, little memory and little time.",
    )
    yield Case(
        "float64, values that cancel",
        inputs=values_cancel(rng, B=2, H=3, pairs=7, D=4, Dv=6),
        options={"chunk": 5},
        rule=PRECISION,
        note="Double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield Case(
        "float64, scores that cancel",
        inputs=scores_cancel(rng, B=3, H=2, n=16, D=4, Dv=5),
        options={"chunk": 4},
        rule=PRECISION,
        note="Double precision: nobody asks for the first word, which is loud, and each rounding lets it through.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=some_of(rng, tensors(rng, B=2, H=4, n=6, D=3, Dv=5), 0, 1, 0.5),
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
        inputs=tensors(rng, B=3, H=4, n=12, D=5, Dv=6),
        options={"chunk": 4},
        layout=dict.fromkeys(NAMES, "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
    )
    yield Case(
        "views, the first axis fastest",
        inputs=tensors(rng, B=2, H=5, n=8, D=4, Dv=3),
        options={"chunk": 4},
        layout=dict.fromkeys(NAMES, "transposed"),
        rule=VIEWS,
        note="In memory the entries lie without gaps, and in the opposite order of axes.",
    )
    yield Case(
        "a second call",
        inputs=tensors(rng, B=2, H=3, n=20, D=7, Dv=5),
        before=tensors(rng, B=2, H=3, n=20, D=7, Dv=5),
        options={"chunk": 10},
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield Case(
        "gradients",
        inputs=tensors(rng, B=2, H=3, n=9, D=4, Dv=5),
        options={"chunk": 3},
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch the gates learn too.",
    )
    yield Case(
        "gradients over 112 words",
        inputs=tensors(rng, B=1, H=2, n=112, D=3, Dv=4, least=0.9, most=0.99),
        options={"chunk": 16},
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch the gradients reach back through the chunks to the first word.",
    )
    yield Case(
        "gradients at gates of zero and one",
        inputs=some_of(rng, tensors(rng, B=3, H=2, n=8, D=4, Dv=5), 0, 1, 0.5, 0),
        options={"chunk": 4},
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=ENDS,
        note="In PyTorch: a gate of 0 learns as well, and no gradient is NaN.",
    )


def domain(rng):
    """Any small sizes, sometimes several long chunks, any gates and both dtypes."""
    for number in range(60):
        B, H, D, Dv = map(int, rng.choice([1, 1, 2, 3, 4], 4))
        n = int(rng.choice([1, 2, 3, 5, 35, 70]))
        inputs = tensors(rng, B, H, n, D, Dv)
        if rng.random() < 0.6:
            inputs["gates"] = rng.choice([0, 1e-20, 1e-5, 0.003, 0.3, 0.99, 1], (B, H, n, D))
        for name in "qkv":
            kept = rng.random(inputs[name].shape) < rng.choice([0.5, 1, 1])
            inputs[name] = inputs[name] * kept * rng.choice([1e-3, 1, 1, 100])
        dtype = rng.choice([np.float32, np.float64])
        yield Case(
            str(number),
            inputs={name: x.astype(dtype) for name, x in inputs.items()},
            options={"chunk": int(rng.choice([1, 2, 3, 7, 32, 100]))},
        )
