"""The delta rule: keys of lengths around 1, fewer dimensions than tokens, so that keys come again in
part, and gates between 0.2 and 0.9, unless a case is about the opposite.
"""

import numpy as np

from grader.case import Case, in_float64

GATE = "A gate from 0 to 1"
PAST = "The future changes nothing"
LONG = "Any length"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"

NAMES = ("q", "k", "v", "beta")


def tensors(rng, B, H, n, D, Dv, digits=None):
    """Keys of lengths from 0.8 to 1.2."""
    k = rng.standard_normal((B, H, n, D))
    k *= rng.uniform(0.8, 1.2, (B, H, n, 1)) / np.sqrt((k**2).sum(axis=-1, keepdims=True))
    inputs = {
        "q": rng.standard_normal((B, H, n, D)),
        "k": k,
        "v": rng.standard_normal((B, H, n, Dv)),
        "beta": rng.uniform(0.2, 0.9, (B, H, n)),
    }
    if digits is not None:
        inputs = {name: np.round(x, digits) + 0.0 for name, x in inputs.items()}
    return {name: x.astype(np.float32) for name, x in inputs.items()}


def small_numbers(inputs):
    """Small values, of which the first column is 0 and the last one faint; a query and a key are 0,
    and a query and a key are faint. Powers of two round nothing.
    """
    q, k, v, beta = inputs.values()
    q[:, :, 1], k[:, :, 2] = 0, 0
    q[:, :, -1], k[:, :, 0] = q[:, :, -1] / 2**15, k[:, :, 0] / 2**15
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**4
    v[:, :, 0] *= 2**15
    q[:, :, -2, 0] = k[:, :, -2, 1] = 0
    return {"q": q * 2**6, "k": k, "v": v / 2**10, "beta": beta}


def large_numbers(inputs):
    """Large values."""
    return inputs | {"q": inputs["q"] * 2**4, "v": inputs["v"] * 2**14}


def cancelling(rng, B, H, pairs, D, Dv):
    """Tokens in pairs with one key: the first writes values near 1e5, and the second takes them out
    again but for about 1, and only it asks, beside the first token of all, whose query is nearly at
    right angles to its key. A rounding to float32 anywhere leaves more than 1e-3.
    """
    inputs = tensors(rng, B, H, 2 * pairs, D, Dv)
    q, k, v, beta = (x.astype(float) * rng.uniform(0.97, 1, x.shape) for x in inputs.values())
    q[:, :, 2::2] = 0
    k[:, :, 1::2] = k[:, :, ::2]
    first, second = beta[:, :, ::2, None], beta[:, :, 1::2, None]
    length = (k[:, :, ::2] ** 2).sum(axis=-1, keepdims=True)
    along = (q[:, :, :1] * k[:, :, :1]).sum(axis=-1, keepdims=True) / length[:, :, :1]
    q[:, :, :1] -= (1 - 1e-5) * along * k[:, :, :1]
    large = 1e5 * rng.standard_normal((B, H, pairs, Dv))
    v[:, :, ::2] += large
    v[:, :, 1::2] -= (1 - second * length) * first / second * large
    return {"q": q, "k": k, "v": v, "beta": beta}


def cases(rng):
    again = tensors(rng, B=1, H=1, n=3, D=2, Dv=4, digits=1)
    again["k"][0, 0] = [[0.6, 0.8], [0.8, -0.6], [0.6, 0.8]]
    again["q"][0, 0] = again["k"][0, 0]
    again["beta"][...] = 1
    yield Case(
        "a key that comes again",
        inputs=again,
        sample=True,
        labels=("blue", "round", "blue"),
        rule=GATE,
        same="one text and one head: B = H = 1",
        note="Keys of length 1 and gates of 1: the third word asks for its key and gets its own value back.",
    )
    yield Case(
        "two heads",
        inputs=tensors(rng, B=1, H=2, n=4, D=3, Dv=5, digits=1),
        sample=True,
        note="Each token of each head has a gate of its own.",
    )
    yield Case(
        "three heads",
        inputs=large_numbers(tensors(rng, B=2, H=3, n=7, D=5, Dv=4)),
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield Case(
        "a query of zeros",
        inputs=small_numbers(tensors(rng, B=3, H=4, n=6, D=5, Dv=7)),
        note="A query and a key are 0 everywhere, and another query and the first key are faint.",
    )
    yield Case(
        "two keys in turn",
        inputs=in_turn(rng, B=2, H=3, n=8, D=5, Dv=4),
        note="Two keys take turns, each time with other values.",
    )
    yield Case(
        "1031 words",
        inputs=tensors(rng, B=1, H=2, n=1031, D=4, Dv=3),
        slow=True,
        rule=LONG,
        note="A prime number of words, which no chunk size divides.",
    )
    long_keys = tensors(rng, B=2, H=3, n=65, D=4, Dv=5)
    long_keys["k"] *= 4
    long_keys["beta"] /= 16
    yield Case(
        "long keys and small gates",
        inputs=long_keys,
        rule=LONG,
        note="Keys of a length of about 4, and gates that fit them. There are 65 words.",
    )
    ends = tensors(rng, B=2, H=3, n=8, D=4, Dv=5)
    ends["beta"] = rng.permuted(
        np.tile(np.float32([0, 1, 0.5, 0, 1, 1, 0, 5e-5]), (2, 3, 1)), axis=-1
    )
    ends["v"] *= np.where(ends["beta"] == np.float32(5e-5), np.float32(3000), 1)[..., None]
    yield Case(
        "gates of zero and one",
        inputs=ends,
        rule=GATE,
        note="Some tokens write nothing, some the whole difference, and one hardly writes. No key has the length 1.",
    )
    closed = tensors(rng, B=2, H=4, n=5, D=3, Dv=6)
    closed["beta"][0, :2] = 0
    yield Case(
        "closed heads",
        inputs=closed,
        rule=GATE,
        note="Two heads of one text never write, and give 0.",
    )
    late = tensors(rng, B=2, H=3, n=9, D=4, Dv=5)
    late["q"][:, :, -1], late["k"][:, :, -1], late["v"][:, :, -1] = 0, 1e4, 5e3
    yield Case(
        "a shout at the end",
        inputs=late,
        rule=PAST,
        note="The last word is enormous, and asks nothing. Nobody before it may hear it.",
    )
    yield Case(
        "square",
        inputs=tensors(rng, B=4, H=4, n=4, D=4, Dv=4),
        rule=EQUAL,
        same="all sizes are 4, so a memory along a wrong axis has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "one word",
        inputs=tensors(rng, B=2, H=3, n=1, D=4, Dv=5),
        rule=ONE,
        note="The memory holds a single word.",
    )
    yield Case(
        "one text, one head",
        inputs=tensors(rng, B=1, H=1, n=5, D=4, Dv=3),
        rule=ONE,
        same="B = H = 1",
        note="A single memory.",
    )
    yield Case(
        "vectors of one number",
        inputs=tensors(rng, B=2, H=3, n=5, D=1, Dv=1),
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1: the memory is a single number.",
    )
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng, B=2, H=3, pairs=5, D=4, Dv=6),
        rule=PRECISION,
        note="Double precision: large values are written and taken out again, and what is left shows each rounding.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=tensors(rng, B=2, H=4, n=6, D=3, Dv=5),
            wants=tuple(f"after.{name}" for name in NAMES),
            rule=ALONE,
            note="The caller goes on using the four arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=tensors(rng, B=2, H=4, n=5, D=3, Dv=7),
        layout=dict.fromkeys(NAMES, "readonly"),
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=tensors(rng, B=3, H=4, n=7, D=5, Dv=6),
        layout=dict.fromkeys(NAMES, "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
    )
    yield Case(
        "views, the first axis fastest",
        inputs=tensors(rng, B=2, H=5, n=8, D=4, Dv=3),
        layout=dict.fromkeys(NAMES, "transposed"),
        rule=VIEWS,
        note="In memory the entries lie without gaps, and in the opposite order of axes.",
    )
    yield Case(
        "a second call",
        inputs=tensors(rng, B=2, H=3, n=8, D=7, Dv=5),
        before=tensors(rng, B=2, H=3, n=8, D=7, Dv=5),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield Case(
        "gradients",
        inputs=tensors(rng, B=2, H=3, n=6, D=4, Dv=5),
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch the gates learn too.",
    )
    yield Case(
        "gradients over 192 words",
        inputs=tensors(rng, B=1, H=2, n=192, D=3, Dv=4),
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch the gradients reach back to the first word.",
    )
    ends = tensors(rng, B=2, H=4, n=6, D=5, Dv=3)
    ends["beta"] = rng.permuted(np.tile(np.float32([0, 1, 0.5, 0, 1, 0.3]), (2, 4, 1)), axis=-1)
    ends["beta"][:, :, rng.integers(1, 5)] = 0
    yield Case(
        "gradients at gates of zero and one",
        inputs=ends,
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch a gate that is closed or wide open learns too. At one word all are closed.",
    )
    # one token in front, so that a chunk of even size ends within a pair, and one at the end
    pairs = cancelling(rng, B=2, H=3, pairs=95, D=4, Dv=6)
    for name, two in tensors(rng, B=2, H=3, n=2, D=4, Dv=6).items():
        pairs[name] = np.concatenate([two[:, :, :1], pairs[name], two[:, :, 1:]], axis=2)
    yield Case(
        "192 words in float64",
        inputs=pairs,
        rule=PRECISION,
        note="Double precision in a text that is longer than a chunk: what the memory holds is large for a while.",
    )


def in_turn(rng, B, H, n, D, Dv):
    """Two keys that take turns; faint queries, and a small output."""
    inputs = tensors(rng, B, H, n, D, Dv)
    inputs["q"], inputs["v"] = inputs["q"] / 2**18, inputs["v"] * 2**6
    inputs["k"][:, :, 2::2], inputs["k"][:, :, 3::2] = inputs["k"][:, :, :1], inputs["k"][:, :, 1:2]
    return inputs


def domain(rng):
    """Any small sizes, lengths of keys and gates, both dtypes."""
    for number in range(60):
        B, H, n, D, Dv = map(int, rng.choice([1, 1, 2, 3, 5], 5))
        inputs = tensors(rng, B, H, n, D, Dv)
        if rng.random() < 0.5:
            inputs["beta"] = rng.choice([0, 1e-5, 0.3, 1], (B, H, n))
        for name in "qkv":
            kept = rng.random(inputs[name].shape) < rng.choice([0.5, 1, 1])
            inputs[name] = inputs[name] * kept * rng.choice([1e-4, 1, 1])
        dtype = rng.choice([np.float32, np.float64])
        yield Case(str(number), inputs={name: x.astype(dtype) for name, x in inputs.items()})
