import numpy as np

from grader.case import Case

ROWS = "Rows of the mask belong to queries"
ADDED = "The mask is added as it is"
HIDES = "Minus infinity hides, and so does minus a billion"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
REMEMBERS = "Remembers nothing between calls"

INF = np.inf


def cases(rng):
    yield Case(
        "causal, three words",
        inputs=words(rng, n=3, E=4, D=2, Dv=5, digits=1)
        | {"mask": hide(["100", "110", "111"], -INF)},
        sample=True,
        labels=("The", "cat", "sat"),
        rule=HIDES,
        note="Zeros and minus infinity: each word looks at itself and back.",
    )
    yield Case(
        "a preference for what is near",
        inputs=words(rng, n=4, E=5, D=3, Dv=2, digits=1) | {"mask": -0.5 * distance(4)},
        sample=True,
        labels=("The", "cat", "sat", "down"),
        rule=ADDED,
        note="Small numbers that fade with distance; nothing is hidden.",
    )
    yield Case(
        "no mask",
        inputs=large_numbers(words(rng, n=5, E=5, D=5, Dv=5)),
        same="n = E = D = Dv, so that no shape tells an axis apart",
        note="Without a mask this is plain self-attention. All matrices are square.",
    )
    yield Case(
        "a word of zeros",
        inputs=small_numbers(words(rng, n=5, E=6, D=4, Dv=3)),
        note="One word is 0 everywhere, so all its scores are 0.",
    )
    yield Case(
        "a mask of zeros",
        inputs=small_numbers(words(rng, n=6, E=5, D=4, Dv=3))
        | {"mask": np.zeros((6, 6), np.float32)},
        rule=ADDED,
        note="A mask that changes nothing.",
    )
    yield Case(
        "minus infinity",
        inputs=words(rng, n=5, E=7, D=3, Dv=4)
        | {"mask": hide(["10110", "11000", "00101", "00010", "11111"], -INF)},
        layout=dict.fromkeys(("x", "w_q", "w_k", "w_v", "mask"), "transposed"),
        rule=HIDES,
        note="A pattern of its own for each query; one query is left with a single key.",
    )
    yield Case(
        "minus infinity, other values",
        inputs=words(rng, n=5, E=7, D=3, Dv=4)
        | {"mask": hide(["01011", "00100", "11010", "10111", "01000"], -INF)},
        rule=REMEMBERS,
        note="The same shapes as before with other values and another mask.",
    )
    yield Case(
        "minus a billion",
        inputs=words(rng, n=6, E=8, D=4, Dv=3)
        | {"mask": hide(["100100", "110110", "011101", "001000", "111011", "010111"], -1e9)},
        rule=HIDES,
        note="A large finite number in place of minus infinity.",
    )
    yield Case(
        "both kinds",
        inputs=words(rng, n=5, E=6, D=3, Dv=2)
        | {
            "mask": hide(["10011", "11001", "11100", "11110", "11111"], -INF)
            + hide(["11110", "11110", "01110", "11110", "11010"], -1e9)
        },
        rule=HIDES,
        note="Some keys are hidden by minus infinity, some by a large number, some by both.",
    )
    yield Case(
        "small biases",
        inputs=words(rng, n=6, E=7, D=5, Dv=3) | {"mask": bias(rng, 6)},
        rule=ROWS,
        note="Biases of both signs; nothing is hidden.",
    )
    yield Case(
        "small biases, other values",
        inputs=words(rng, n=6, E=7, D=5, Dv=3) | {"mask": one_row_lowered(bias(rng, 6), 40)},
        rule=REMEMBERS,
        note="The same shapes as before with other values; the biases of one query are all low.",
    )
    yield Case(
        "bonuses alone",
        inputs=words(rng, n=5, E=7, D=4, Dv=6) | {"mask": np.maximum(bias(rng, 5), 0)},
        rule=ADDED,
        note="Some keys are more likely, and none is less likely or hidden.",
    )
    yield Case(
        "biases and a causal mask",
        inputs=faint(rng),
        rule=ADDED,
        note="A penalty for distance, and nothing from the future.",
    )
    yield Case(
        "the diagonal is hidden",
        inputs=words(rng, n=4, E=6, D=5, Dv=3)
        | {"mask": np.where(np.eye(4, dtype=bool), -INF, 0).astype(np.float32)},
        rule=HIDES,
        note="Everyone looks at everyone else.",
    )
    yield Case(
        "huge scores beside minus a billion",
        inputs=ladder(rng, (1, -5.03, 5.04, 2, -4.8, 4), E=7, D=4, Dv=3)
        | {"mask": hide(["010010", "101101", "010010", "010111", "100101", "010010"], -1e9)},
        rule=LARGE,
        note="Scores near 10 000 where the mask hides, and visible ones far below 0.",
    )
    yield Case(
        "huge scores that are seen",
        inputs=ladder(rng, (3, -5, 1, 5, -2), E=7, D=4, Dv=3)
        | {"mask": hide(["11110", "01111", "11011", "10111", "11101"], -1e9)},
        rule=LARGE,
        note="Visible scores near 10 000 in float32, and rows on very different scales.",
    )
    yield Case(
        "huge scores beside minus infinity",
        inputs=enormous_values(ladder(rng, (2, -5.04, 3, 5.04, -4), E=7, D=4, Dv=3), word=1)
        | {"mask": hide(["00001", "00010", "00001", "10100", "10110"], -INF)},
        rule=LARGE,
        note="Scores near 10 000 behind minus infinity, and visible ones near -10 000. One word has "
        "enormous values, and is hidden from all.",
    )
    yield Case(
        "huge scores without a mask",
        inputs=ladder(rng, (-2, 5, 1, -4, 3), E=7, D=4, Dv=3),
        rule=LARGE,
        note="No mask, and rows on very different scales.",
    )
    yield Case(
        "every score far below zero",
        inputs=negative(ladder(rng, (2, 5, 1, 4, 3), E=7, D=4, Dv=3)),
        rule=LARGE,
        note="The largest score of each row is below -300.",
    )
    yield Case(
        "both ends of the range",
        inputs=ladder(rng, (5.04, -5.03, 5.02, -5.01), E=7, D=4, Dv=3),
        same="As many words as D, the width that makes the scores exact.",
        rule=LARGE,
        note="The largest scores lie close to 10 000, the smallest close to -10 000.",
    )
    yield Case(
        "one word with a huge score",
        inputs=ladder(rng, (5.04,), E=7, D=4, Dv=3),
        rule=LARGE,
        note="A single word, whose score is near 10 000.",
    )
    yield Case(
        "large biases",
        inputs=ladder(rng, (2, -1, 3, -2, 1), E=7, D=4, Dv=3) | {"mask": large_biases()},
        rule=LARGE,
        note="Penalties of 150 do not hide a key, and nor do 20 000 or 200 000 that a whole row shares; a "
        "bonus of 200 000 that a whole row shares changes nothing, and one of 15 000 makes the worst key "
        "the best; minus infinity still hides.",
    )
    yield Case(
        "a single number for each word",
        inputs=words(rng, n=4, E=1, D=1, Dv=1) | {"mask": bias(rng, 4)},
        same="E = D = Dv = 1, the narrowest vectors there are",
        rule=ONE,
        note="Words, queries, keys and values are one number wide.",
    )
    yield Case(
        "one word, a single number",
        inputs=words(rng, n=1, E=4, D=3, Dv=1),
        same="n = Dv = 1: one word, whose value is one number wide",
        rule=ONE,
        note="The shortest text there is, with values one number wide.",
    )
    yield Case(
        "one word",
        inputs=words(rng, n=1, E=4, D=3, Dv=2) | {"mask": np.array([[-0.75]], np.float32)},
        rule=ONE,
        note="The shortest text there is, with a bias.",
    )
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng, pairs=3, D=5, Dv=2),
        rule=PRECISION,
        note="Double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield Case(
        "float64, one word",
        inputs=cancelling_word(rng, E=7, D=4, Dv=3),
        rule=PRECISION,
        note="A single word in double precision: large terms cancel in its values.",
    )
    yield Case(
        "inputs stay as they were",
        inputs=double(
            words(rng, n=4, E=6, D=3, Dv=5)
            | {"mask": bias(rng, 4) + hide(["1101", "0111", "1011", "1110"], -1e9)}
        ),
        wants=("after.x", "after.w_q", "after.w_k", "after.w_v", "after.mask"),
        rule=INPUTS,
        note="The caller still needs the arrays that were passed in. All are float64.",
    )
    yield Case(
        "strided inputs",
        inputs=words(rng, n=5, E=6, D=4, Dv=3) | {"mask": bias(rng, 5)},
        layout=dict.fromkeys(("x", "w_q", "w_k", "w_v", "mask"), "strided"),
        rule=VIEWS,
        note="Views into larger arrays.",
    )
    yield Case(
        "read-only inputs",
        inputs=words(rng, n=4, E=7, D=5, Dv=3) | {"mask": bias(rng, 4)},
        layout=dict.fromkeys(("x", "w_q", "w_k", "w_v", "mask"), "readonly"),
        rule=VIEWS,
        note="In NumPy the arrays cannot be written to.",
    )
    yield Case(
        "a longer text",
        inputs=words(rng, n=101, E=7, D=5, Dv=3) | {"mask": bias(rng, 101)},
        note="101 words, each with a bias of its own for each other word.",
    )


def faint(rng):
    """A penalty for distance, and no future. Drawn until some weight is a few hundred-thousandths."""
    mask = np.where(np.tri(7, dtype=bool), -1.2 * distance(7), -INF).astype(np.float32)
    while True:
        inputs = words(rng, n=7, E=6, D=4, Dv=5)
        x, w_q, w_k, _ = inputs.values()
        exp = np.exp(x @ w_q @ (x @ w_k).T / 2 + mask)
        exp /= exp.max(axis=-1, keepdims=True)
        if ((exp > 2e-5) & (exp < 9e-5)).any():
            return inputs | {"mask": mask}


def words(rng, n, E, D, Dv, digits=None):
    """x and projections with scaled scores whose spread is about 2; rounded where people read them."""
    x = rng.standard_normal((n, E))
    w_q = 1.6 * rng.standard_normal((E, D)) / np.sqrt(E)
    w_k = 1.3 * rng.standard_normal((E, D)) / np.sqrt(E)
    w_v = rng.standard_normal((E, Dv)) / np.sqrt(E)
    if digits is not None:
        x, w_q, w_k, w_v = (np.round(a, digits) + 0.0 for a in (x, w_q, w_k, w_v))
    return {
        "x": x.astype(np.float32),
        "w_q": w_q.astype(np.float32),
        "w_k": w_k.astype(np.float32),
        "w_v": w_v.astype(np.float32),
    }


def double(inputs):
    """The same numbers in float64."""
    return {name: x.astype(np.float64) for name, x in inputs.items()}


def small_numbers(inputs):
    """Small numbers beside large ones: a column of x and a row of each matrix, the keys and the
    queries; scores as before. The second word and the first column of the values are 0, and the
    third word is faint. Powers of two round nothing.
    """
    x, w_q, w_k, w_v = inputs.values()
    x[1], x[2], x[0, 0] = 0, x[2] / 2**15, 0
    w_q[2, 2], w_k[2, 3], w_v[:, 0] = 0, 0, 0
    w_v /= 2**8
    w_v[:, -1] /= 2**6
    for column, power in ((0, 14), (1, -14)):
        x[:, column] /= 2.0**power
        for w in (w_q, w_k, w_v):
            w[column] *= 2.0**power
        w_q[:, column] *= 2.0**power
        w_k[:, column] /= 2.0**power
    return {"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v}


def large_numbers(inputs):
    """Scores as before from large words and keys, and large values."""
    x, w_q, w_k, w_v = inputs.values()
    return {"x": x * 2**8, "w_q": w_q / 2**24, "w_k": w_k * 2**8, "w_v": w_v * 2**12}


def cancelling(rng, pairs, D, Dv):
    """Words in pairs: the weight of the second is `ratio` times that of the first, and values near
    1e5 cancel in the output but for about 1. A rounding to float32 anywhere leaves more than 1e-4
    of that. Every score has the same large part, which a softmax ignores. The columns of x are
    mixed, so that all numbers have all their digits.
    """
    n = 2 * pairs
    q = 1.5 * rng.standard_normal((n, D))
    k = np.repeat(rng.standard_normal((pairs, D)), 2, axis=0)
    v = 1e-5 * rng.standard_normal((n, Dv))
    mask = rng.standard_normal((n, n))
    gap = rng.uniform(-1.5, 1.5, pairs)  # of the mask, between the two of a pair
    mask[:, 1::2] = mask[:, ::2] + gap
    ratio = rng.uniform(1.5, 3, pairs)
    q[:, -2:] = np.sqrt(D) * np.array([17.3, 1])
    k[:, -2:] = [18.7, 0]
    k[1::2, -1] = np.log(ratio) - gap
    large = rng.standard_normal((pairs, Dv))
    v[::2] += large
    v[1::2] -= large / ratio[:, None]
    mix = np.linalg.qr(rng.standard_normal((2 * D + Dv, 2 * D + Dv)))[0]
    return {
        "x": np.concatenate([q, k, v], axis=1) @ mix.T,
        "w_q": mix[:, :D].copy(),
        "w_k": mix[:, D : 2 * D].copy(),
        "w_v": 1e5 * mix[:, 2 * D :],
        "mask": mask,
    }


def ladder(rng, steps, E, D, Dv):
    """Inputs whose scaled scores are about 392 * steps[i] * steps[j]: far apart, so each softmax
    has one clear winner.
    """
    x = rng.uniform(-0.5, 0.5, (len(steps), E))
    w_q = rng.uniform(-0.05, 0.05, (E, D))
    w_k = rng.uniform(-0.05, 0.05, (E, D))
    w_v = rng.standard_normal((E, Dv))
    x[:, 0] = steps
    w_q[0] = [28, 0, 0, 0]
    w_k[0] = [28, 0, 0, 0]
    return {
        "x": x.astype(np.float32),
        "w_q": w_q.astype(np.float32),
        "w_k": w_k.astype(np.float32),
        "w_v": w_v.astype(np.float32),
    }


def negative(inputs):
    """The scores of a ladder with the other sign."""
    inputs["w_q"][...] *= -1
    return inputs


def cancelling_word(rng, E, D, Dv):
    """One word in float64. Its values are ordinary sums of terms of ten thousand, of which float32
    keeps three digits.
    """
    inputs = double(words(rng, 1, E, D, Dv) | {"mask": np.array([[-0.75]])})
    x, w_v = inputs["x"], inputs["w_v"]
    x[:, 0] = 20_000 + 2000 * rng.standard_normal()
    x[:, 1] = x[:, 0] + rng.standard_normal()
    w_v[1] = 2e-5 * w_v[1] - w_v[0]
    for name in ("w_q", "w_k"):
        inputs[name][:2] *= 2e-5
    return inputs


def enormous_values(inputs, word):
    """The scores of a ladder as they were, and values near 1e30 for one word."""
    for name in ("w_q", "w_k"):
        inputs[name][1] = 0
    inputs["x"][word, 1], inputs["w_v"][1] = 1e30, 1
    return inputs


def hide(rows, number):
    """A mask written as text: 0 where a row has 1, `number` where it has 0."""
    return np.array(
        [[0 if bit == "1" else number for bit in row] for row in rows], dtype=np.float32
    )


def large_biases():
    """Penalties of 150, which huge scores outweigh; a bonus of 500, which lifts a key over another
    whose score is 392 higher, and one of 15 000, which lifts a key from last to first; a row in which every key has a bonus of 200 000 or more; one with a
    penalty of 20 000 or more; and one with 200 000 or more, in which minus infinity hides the key
    with the largest score.
    """
    mask = hide(["10001", "11111", "01011", "11100", "01001"], -150)
    mask[1, 1], mask[2, 3] = 500, 15_000
    mask[1] += 200_000
    mask[3] -= 20_000
    mask[4] -= 200_000
    mask[4, 2] = -INF
    return mask


def bias(rng, n):
    """Biases of 0.4 to 1.6, whose signs alternate along each row and differ from their mirror
    image.
    """
    sign = np.where((np.arange(n) + np.arange(n)[:, None] // 2) % 2 == 0, 1, -1)
    return (sign * rng.uniform(0.4, 1.6, (n, n))).astype(np.float32)


def one_row_lowered(mask, height):
    """The same biases; what a whole row shares changes nothing."""
    mask[2] -= height
    return mask


def distance(n):
    return np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(np.float32)


def domain(rng):
    """Any sizes, scaled scores from -10 000 to 10 000, equal ones too, both dtypes."""
    for number in range(70):
        n, e, d, dv = rng.choice([1, 1, 2, 3, 5], 4)
        x = rng.standard_normal((n, e))
        inputs = {"x": x} | any_matrices(rng, x, e, d, dv)
        if rng.random() < 0.8:
            inputs["mask"] = any_mask(rng, n)
        dtype = rng.choice([np.float32, np.float64])
        yield Case(str(number), inputs={name: x.astype(dtype) for name, x in inputs.items()})


def any_matrices(rng, x, e, d, dv):
    """Matrices of either sign and any size; the largest scaled score is anything up to 10 000."""
    w = {
        f"w_{name}": rng.standard_normal((e, width))
        for name, width in zip("qkv", (d, d, dv), strict=True)
    }
    style = rng.integers(4)
    if style == 0:
        x[...], w["w_q"], w["w_k"] = np.round(x), np.round(w["w_q"]), np.round(w["w_k"])
    if style == 1:
        x[rng.integers(len(x))] = 0
    largest = np.abs((x @ w["w_q"]) @ (x @ w["w_k"]).T).max() / np.sqrt(d)
    if rng.random() < 0.5:
        w["w_q"] *= min(1e3, rng.choice([0.1, 30, 1000, 9_990]) / max(largest, 1e-3))
    return w


def any_mask(rng, n):
    """Biases of either sign; hidden keys, at least one of each row left."""
    mask = rng.choice([0, 1, 30]) * rng.standard_normal((n, n))
    hidden = rng.random((n, n)) < rng.choice([0, 0.5, 0.9])
    hidden[np.arange(n), rng.integers(0, n, n)] = False
    mask[hidden] = rng.choice([-np.inf, -1e9])
    return mask
