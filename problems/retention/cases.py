"""Retention: decays differ from head to head and are such that a text of some words is neither
forgotten nor kept whole, unless a case is about that.
"""

import numpy as np

from grader.case import Case, in_float64

ENDS = "A decay from 0 to 1"
OVERFLOW = "Nothing overflows"
PAST = "The future changes nothing"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
COST = "Costs little for long sequences"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"

NAMES = ("q", "k", "v", "decay")


def tensors(rng, B, H, n, D, Dv, least=0.45, most=0.9, digits=None):
    """Decays from `least` to `most`, in random order."""
    inputs = {
        "q": rng.standard_normal((B, H, n, D)),
        "k": rng.standard_normal((B, H, n, D)),
        "v": rng.standard_normal((B, H, n, Dv)),
        "decay": rng.permutation(np.linspace(least, most, H)) + rng.uniform(-0.04, 0.04, H),
    }
    if digits is not None:
        inputs = {name: np.round(x, digits) + 0.0 for name, x in inputs.items()}
    return {name: x.astype(np.float32) for name, x in inputs.items()}


def decays(rng, inputs, *values):
    """The same with these decays, in random order."""
    return inputs | {"decay": rng.permutation(values).astype(np.float32)}


def small_numbers(inputs):
    """Small values, of which the first column is 0 and the last one faint; a query, a key and a
    decay are 0, and a query, a key and a decay are faint. Powers of two round nothing.
    """
    q, k, v, decay = inputs.values()
    q[:, :, 1], k[:, :, 2] = 0, 0
    q[:, :, -1], k[:, :, 0] = q[:, :, -1] / 2**15, k[:, :, 0] / 2**15
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**4
    v[:, :, 0] *= 2**12
    return {"q": q * 2**6, "k": k / 2**8, "v": v / 2**10, "decay": decay}


def large_numbers(inputs):
    """Large keys and values."""
    return inputs | {"q": inputs["q"] / 2**12, "k": inputs["k"] * 2**16, "v": inputs["v"] * 2**10}


def loud_at_first(rng, B, H, n, D, Dv):
    """Only the second half asks, faintly, when the loud words at the beginning have nearly faded; a
    key, a query and a column of the values are 0, and so are some entries.
    """
    inputs = tensors(rng, B, H, n, D, Dv, least=0.72, most=0.73)
    q, k, v, decay = inputs.values()
    decay[:] = rng.permutation(np.linspace(0.7, 0.74, H))
    v[:, :, :6] *= 2**20
    q[:, :, : n // 2], q[:, :, -2], q[:, :, -1, 0] = 0, 0, 0
    k[:, :, 8], k[:, :, 9, 0], k[:, :, n // 2, 0], v[..., 0] = 0, 0, 0, 0
    return {"q": q / 2**22, "k": k, "v": v, "decay": decay}


def asked_late(rng, B, H, n, D, Dv):
    """Eight loud words have nearly faded when the first question comes, at word 128. In the head
    that forgets less they are louder and came a chunk of 64 earlier.
    """
    fast = np.linspace(0.7, 0.74, H - 1)
    inputs = decays(rng, tensors(rng, B, H, n, D, Dv), *fast, rng.uniform(0.83, 0.85))
    slow = inputs["decay"] > 0.8
    inputs["v"][:, ~slow, 88:96] *= 2**20
    inputs["v"][:, slow, 24:32] *= 2**26
    inputs["q"][:, :, :128] = 0
    return inputs


def cancelling(rng, B, H, pairs, D, Dv):
    """Behind a first token, tokens in pairs with one key and values near 1e5 that cancel but for
    about 1, once the first has faded by one step; only the second of a pair asks. A rounding to
    float32 anywhere leaves more than 1e-3 of that. Where a chunk of even size ends, a pair is cut in two.
    """
    inputs = tensors(rng, B, H, 1 + 2 * pairs, D, Dv, 0.7, 0.95)
    q, k, v, decay = (x.astype(float) * rng.uniform(0.97, 1, x.shape) for x in inputs.values())
    q[:, :, 1::2] = 0
    k[:, :, 2::2] = k[:, :, 1::2]
    large = 1e5 * rng.standard_normal((B, H, pairs, Dv))
    v[:, :, 1::2] += large
    v[:, :, 2::2] -= decay[:, None, None] * large
    return {"q": q, "k": k, "v": v, "decay": decay}


def cases(rng):
    yield Case(
        "three words, two heads",
        inputs=tensors(rng, B=1, H=2, n=3, D=4, Dv=5, digits=1),
        sample=True,
        labels=("The", "cat", "sat"),
        note="Each word reads itself and what is left of the words before it.",
    )
    yield Case(
        "a decay of zero and a decay of one",
        inputs=tensors(rng, B=1, H=2, n=4, D=3, Dv=5, digits=1)
        | {"decay": np.array([0, 1], dtype=np.float32)},
        sample=True,
        rule=ENDS,
        note="One head sees the word itself alone, the other forgets nothing.",
    )
    yield Case(
        "three heads",
        inputs=large_numbers(tensors(rng, B=2, H=3, n=7, D=5, Dv=4)),
        note="All sizes differ, so no axis can stand in for another.",
    )
    yield Case(
        "a query of zeros",
        inputs=small_numbers(tensors(rng, B=3, H=4, n=6, D=5, Dv=7)),
        layout={"q": "transposed", "v": "transposed"},
        note="A query and a key are 0 everywhere, and another query and the first key are faint.",
    )
    # powers of the first two decays are far from what half precision can hold
    loud = decays(rng, tensors(rng, B=2, H=3, n=101, D=5, Dv=4), 0.995, 0.981, 0.9)
    yield Case(
        "101 words",
        inputs=loud | {"k": loud["k"] * 2**16, "v": loud["v"] * 2**10},
        note="Long enough for several chunks, and a last one that is not full.",
    )
    long = decays(rng, tensors(rng, B=1, H=2, n=1009, D=4, Dv=3), 0.9, 0.97)
    long["q"], long["k"], long["v"] = long["q"] * 2**18, long["k"] / 2**10, long["v"] / 2**10
    long["k"][:, :, 20::61] = 0  # a whole key and one number of a key, anywhere in a chunk
    long["k"][:, :, 30::53, 0] = 0
    yield Case(
        "1009 words",
        inputs=long,
        note="A prime number of words, which no chunk size divides.",
    )
    yield Case(
        "71 words, loud at first",
        inputs=loud_at_first(rng, B=2, H=3, n=71, D=4, Dv=5),
        note="Only the second half of the text asks, when the loud words at its beginning have faded.",
    )
    yield Case(
        "137 words, asked late",
        inputs=asked_late(rng, B=2, H=3, n=137, D=5, Dv=4),
        note="Only the last words ask, and what has nearly faded is all that they hear.",
    )
    near = decays(rng, tensors(rng, B=2, H=4, n=34, D=5, Dv=3), 0.1, 0.97, 0.9999, 0.999991)
    yield Case(
        "decays close to one",
        inputs=near,
        rule=ENDS,
        note="One head forgets nearly everything at once, and three hardly anything.",
    )
    yield Case(
        "decays close to zero",
        inputs=decays(rng, tensors(rng, B=2, H=3, n=11, D=5, Dv=4), 6e-5, 0.002, 0.02),
        rule=ENDS,
        note="Little is left of a word after one step, but not nothing.",
    )
    last = decays(rng, tensors(rng, B=2, H=5, n=7, D=4, Dv=3), 0, 1, 0.5, 0, 1)
    yield Case(
        "decays of zero and one among others",
        inputs=last,
        rule=ENDS,
        note="Both ends of the range, and a decay between them.",
    )
    kept = decays(rng, tensors(rng, B=1, H=2, n=3001, D=3, Dv=4), 0, 1)
    kept["v"][:, kept["decay"] == 1] /= 2**6  # thousands of words together are no louder than one
    yield Case(
        "3001 words, nothing or all forgotten",
        inputs=kept,
        slow=True,
        rule=ENDS,
        note="One head sees each word alone, the other all the words before it, however long ago.",
    )
    little = decays(rng, tensors(rng, B=2, H=3, n=67, D=4, Dv=5), 0, 1e-12, 0.08)
    # loud words, also at the end of a chunk, of which the head that keeps nothing never asks
    little["q"][:, little["decay"] == 0, 7::8] = 0
    little["v"][:, little["decay"] == 0, 7::8] *= 2**20
    yield Case(
        "67 words, hardly anything kept",
        inputs=little,
        rule=ENDS,
        note="Each word sees itself and next to nothing else, also where a chunk begins.",
    )
    quick = tensors(rng, B=2, H=3, n=751, D=4, Dv=5)
    yield Case(
        "751 words, soon forgotten",
        inputs=decays(rng, quick, 0.02, 0.2, 0.4),
        rule=OVERFLOW,
        note="The powers of these decays are 0 long before the end of the text.",
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
        same="all sizes are 4, so a decay along a wrong axis has a right shape",
        note="All shapes agree, so only the meaning of the axes is left to go by.",
    )
    yield Case(
        "one word",
        inputs=tensors(rng, B=2, H=3, n=1, D=4, Dv=5),
        rule=ONE,
        note="A word alone has only itself to read.",
    )
    yield Case(
        "one text, one head",
        inputs=tensors(rng, B=1, H=1, n=5, D=4, Dv=3),
        rule=ONE,
        same="B = H = 1",
        note="A single decay.",
    )
    yield Case(
        "vectors of one number",
        inputs=tensors(rng, B=2, H=3, n=5, D=1, Dv=1),
        rule=ONE,
        same="the narrowest vectors there are: D = Dv = 1",
        note="D = Dv = 1.",
    )
    yield Case(
        "37 words, keys of one number",
        inputs=tensors(rng, B=2, H=1, n=37, D=1, Dv=4, least=0.9),
        rule=ONE,
        same="one head and the narrowest keys there are: H = D = 1",
        note="H = D = 1, in two chunks of 32 words.",
    )
    yield Case(
        "131071 words",
        inputs=decays(rng, tensors(rng, B=1, H=1, n=131071, D=2, Dv=3), rng.uniform(0.9, 0.95)),
        memory_mib=512,
        cpu_factor=10,
        rule=COST,
        same="B = H = 1: one head of one text is enough, and cheap",
        note="A long document, little memory and little time.",
    )
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng, B=2, H=3, pairs=150, D=4, Dv=5),
        rule=PRECISION,
        note="Double precision, in a text of several chunks: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield Case(
        "eleven words in float64",
        inputs=cancelling(rng, B=2, H=3, pairs=5, D=4, Dv=6),
        rule=PRECISION,
        note="Double precision, in a text that is shorter than a chunk.",
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
    second = tensors(rng, B=2, H=3, n=128, D=7, Dv=5, least=0.9, most=0.95)
    earlier = tensors(rng, B=2, H=3, n=128, D=7, Dv=5, least=0.9, most=0.95)
    near = second["decay"].round(3)  # equal in three places
    second["decay"], earlier["decay"] = near + np.float32(2e-4), near - np.float32(2e-4)
    earlier["decay"][0] = second["decay"][0]  # one head has the decay that it had
    yield Case(
        "a second call",
        inputs=second,
        before=earlier,
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers. It is longer than a chunk.",
    )
    yield Case(
        "gradients",
        inputs=tensors(rng, B=2, H=3, n=6, D=4, Dv=5),
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch the decays learn too.",
    )
    yield Case(
        "gradients over 307 words",
        inputs=tensors(rng, B=1, H=2, n=307, D=3, Dv=4, least=0.6, most=0.94),
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=GRADIENTS,
        note="In PyTorch: longer than a chunk of up to 256 words.",
    )
    yield Case(
        "gradients at decays of zero and one",
        inputs=decays(rng, tensors(rng, B=2, H=3, n=7, D=4, Dv=5), 0, 1, 0.3),
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=ENDS,
        note="In PyTorch: a decay of 0 learns as well, and no gradient is NaN.",
    )
    far = decays(rng, tensors(rng, B=1, H=3, n=300, D=4, Dv=5), 0, 1, 0.3)
    far["v"][:, far["decay"] == 1] /= 2**9  # hundreds of words together are no louder than one
    yield Case(
        "gradients over 300 words at decays of zero and one",
        inputs=far,
        wants=tuple(f"grad.{name}" for name in NAMES),
        rule=ENDS,
        note="In PyTorch: longer than a chunk of up to 256 words, and no gradient is NaN.",
    )


def domain(rng):
    """Any small sizes, sometimes longer than a chunk, any decay and both dtypes."""
    for number in range(60):
        B, H, D, Dv = map(int, rng.choice([1, 1, 2, 3, 4], 4))
        n = int(rng.choice([1, 2, 3, 5, 35, 70]))
        inputs = tensors(rng, B, H, n, D, Dv)
        if rng.random() < 0.6:
            inputs["decay"] = rng.choice([0, 1e-5, 0.003, 0.3, 0.99, 1], H)
        for name in "qkv":
            kept = rng.random(inputs[name].shape) < rng.choice([0.5, 1, 1])
            inputs[name] = inputs[name] * kept * rng.choice([1e-3, 1, 1, 100])
        dtype = rng.choice([np.float32, np.float64])
        yield Case(str(number), inputs={name: x.astype(dtype) for name, x in inputs.items()})
