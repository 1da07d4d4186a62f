"""The forward pass of a GPT with pre-norm layers, learned positions and a tied output."""

import numpy as np

from grader.case import Case, in_float64

PAST = "The future changes nothing"
CONTEXT = "A text longer than the context is refused"
LAYERS = "One or more layers"
HEADS = "Any number of heads that divides E"
CONSTANT = "A norm survives what is constant"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
REMEMBERS = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def spread(numbers):
    """The same around 0, with a variance of 1."""
    return (numbers - numbers.mean()) / numbers.std()


def norm(rng, E):
    return {
        "gain": np.float32(1) + np.float32(0.3) * normal(rng, E),
        "bias": np.float32(0.3) * normal(rng, E),
    }


def layer(rng, E, F):
    """Scores with a spread of about 2."""
    small = np.float32(1 / np.sqrt(E))
    return {
        "norm_1": norm(rng, E),
        "w_q": np.float32(1.5) * small * normal(rng, E, E),
        "w_k": np.float32(1.3) * small * normal(rng, E, E),
        "w_v": small * normal(rng, E, E),
        "w_o": small * normal(rng, E, E),
        "norm_2": norm(rng, E),
        "w_in": np.float32(1.5) * small * normal(rng, E, F),
        "w_out": np.float32(1 / np.sqrt(F)) * normal(rng, F, E),
    }


def weights(rng, V, C, E, F, layers=1):
    return {
        "embedding": normal(rng, V, E),
        "positions": np.float32(0.7) * normal(rng, C, E),
        "layers": [layer(rng, E, F) for _ in range(layers)],
        "norm": norm(rng, E),
    }


def each(change, tree):
    """The same dicts and lists with changed arrays."""
    if isinstance(tree, dict):
        return {name: each(change, part) for name, part in tree.items()}
    return [each(change, part) for part in tree] if isinstance(tree, list) else change(tree)


def rounded(array):
    return np.round(array, 1) + np.float32(0)


def case(rng, name, B, n, V, C, E, F, heads, layers=1, held=None, eps=1e-12, **rest):
    inputs = {
        "tokens": rng.integers(0, V, (B, n)),
        "weights": held or weights(rng, V, C, E, F, layers),
    }
    config = {"num_heads": heads, "eps": eps}
    return Case(name, inputs=inputs, options={"config": config}, **rest)


def cases(rng):
    yield case(
        rng,
        "three tokens, one layer",
        1,
        3,
        5,
        6,
        4,
        7,
        2,
        held=each(rounded, weights(rng, 5, 6, 4, 7)),
        sample=True,
        note="Two heads, small enough to follow.",
    )
    yield case(
        rng,
        "two layers",
        1,
        2,
        3,
        5,
        4,
        6,
        2,
        held=each(rounded, weights(rng, 3, 5, 4, 6, 2)),
        sample=True,
        rule=LAYERS,
        note="Two heads, and two layers with weights of their own.",
    )
    yield case(rng, "one layer", 2, 5, 11, 7, 6, 13, 3, note="All sizes differ.")
    held = weights(rng, 17, 9, 12, 20)
    faint = held["layers"][0]  # numbers near 0 in the middle, which the way out makes large again
    faint["w_in"][:, :2] *= np.float32(1e-5)
    faint["w_out"][:2] *= np.float32(1e5)
    for each_norm in (faint["norm_1"], faint["norm_2"], held["norm"]):
        each_norm["gain"][:2] *= -1
    tables = [name for name in leaves("weights", held) if "norm" not in name]
    yield case(
        rng,
        "wider",
        3,
        6,
        17,
        9,
        12,
        20,
        4,
        held=held,
        layout=dict.fromkeys(("tokens", *tables), "transposed"),
        note="More heads, a wider model, and some gains below 0.",
    )
    narrow = case(
        rng,
        "a narrow middle",
        2,
        4,
        13,
        6,
        8,
        5,
        2,
        note="F is smaller than E. The queries of one head are 0, and so are all its scores.",
    )
    narrow.inputs["weights.layers[0].w_q"][:, :4] = 0
    yield narrow
    held = weights(rng, 12, 8, 9, 14)
    held["layers"][0]["w_in"] *= 30
    yield case(
        rng,
        "a loud middle",
        2,
        6,
        12,
        8,
        9,
        14,
        3,
        held=held,
        note="Large numbers of both signs in the middle, where GELU hands them on or makes them 0.",
    )
    late = case(
        rng,
        "a shout at the end",
        2,
        7,
        12,
        9,
        6,
        10,
        3,
        rule=PAST,
        note="The last token is enormous, and nobody before it may hear it.",
    )
    late.inputs["tokens"][:, :-1] %= 11
    late.inputs["tokens"][:, -1] = 11
    late.inputs["weights.embedding"][11] *= 30
    yield late
    yield case(
        rng,
        "the context is full",
        2,
        150,
        10,
        150,
        9,
        14,
        3,
        same="n = C: the longest text that fits",
        rule=CONTEXT,
        note="As many tokens as there are places: a hundred and fifty.",
    )
    yield case(
        rng,
        "a context of one token",
        3,
        1,
        9,
        1,
        6,
        11,
        2,
        same="n = C = 1: the longest text that fits",
        rule=CONTEXT,
        note="There is one place, and one token.",
    )
    yield case(
        rng,
        "one token too many",
        2,
        8,
        10,
        7,
        6,
        11,
        3,
        raises="ValueError",
        rule=CONTEXT,
        note="There is no place for the last token.",
    )
    yield case(
        rng,
        "two tokens, one place",
        3,
        2,
        10,
        1,
        6,
        11,
        2,
        raises="ValueError",
        rule=CONTEXT,
        note="The context is one token long, and the text is longer.",
    )
    yield case(
        rng,
        "three layers",
        2,
        5,
        13,
        8,
        6,
        9,
        2,
        layers=3,
        rule=LAYERS,
        note="Three layers in a row.",
    )
    yield case(
        rng,
        "as many heads as numbers",
        3,
        4,
        11,
        7,
        6,
        10,
        6,
        rule=HEADS,
        note="Each head is one number wide.",
    )
    yield case(
        rng,
        "one head",
        2,
        7,
        11,
        9,
        5,
        12,
        1,
        rule=HEADS,
        note="A single head as wide as the model.",
    )
    flat = case(
        rng,
        "a token without variance",
        2,
        4,
        9,
        6,
        8,
        11,
        2,
        eps=1e-9,
        rule=CONSTANT,
        note="All numbers of one token are equal, and those of another one nearly.",
    )
    flat.inputs["weights.positions"][1:3] = 0
    flat.inputs["weights.embedding"][2] = 2**-9
    flat.inputs["weights.embedding"][3] = 5e-4 + 3e-5 * spread(normal(rng, 8))
    flat.inputs["tokens"][:, 1], flat.inputs["tokens"][:, 2] = 2, 3
    yield flat
    nearly = case(
        rng,
        "a token far from zero, and nearly without variance",
        3,
        4,
        10,
        7,
        8,
        12,
        2,
        eps=1e-9,
        rule=CONSTANT,
        note="All numbers of one token in each text are near 0.1: its variance is what is left of much larger squares.",
    )
    nearly.inputs["weights.positions"][2] = 0
    # squares near 0.01 are multiples of 9.3e-10: the variance of the last two lies between
    nearly.inputs["tokens"][:, 2] = 3, 4, 5
    for token, mean, deviation in ((3, 0.05, 3e-5), (4, 0.12, 3.7e-5), (5, 0.09, 3.7e-5)):
        nearly.inputs["weights.embedding"][token] = mean + deviation * spread(normal(rng, 8))
    yield nearly
    yield case(
        rng,
        "eps larger than the variance",
        2,
        3,
        12,
        5,
        10,
        9,
        5,
        eps=1.5,
        rule=CONSTANT,
        note="An eps of 1.5, which both norms of the layer and the last one must take.",
    )
    yield case(
        rng,
        "small numbers",
        2,
        5,
        11,
        7,
        8,
        10,
        4,
        eps=3e-7,
        held=quiet(weights(rng, 11, 7, 8, 10)),
        rule=CONSTANT,
        note="All that is added up is small, so that eps counts in every norm.",
    )
    yield case(
        rng,
        "scores of hundreds",
        2,
        6,
        13,
        8,
        9,
        10,
        3,
        held=by_row(lowest(loud(rng, 13, 8, 9, 10, 3), 9, 3), 3),
        rule=LARGE,
        note="Scores that exp cannot take in float32: high in one head, different from row to row in "
        "another, and near -10 000 in the third, where what is hidden must lie lower still.",
    )
    yield case(
        rng,
        "scores of hundreds in every head",
        2,
        5,
        11,
        8,
        6,
        10,
        3,
        held=loud(rng, 11, 8, 6, 10, 3, (16.0, 16.0, 16.0)),
        rule=LARGE,
        note="All scores are of one size, which exp cannot take in float32.",
    )
    held = loud(rng, 12, 7, 9, 8, 3)
    held["positions"][:, 1] = np.linspace(-9, 9, 7)
    yield case(
        rng,
        "scores that rise by hundreds",
        2,
        6,
        12,
        7,
        9,
        8,
        3,
        held=by_key(held, 0),
        rule=LARGE,
        note="In one head later tokens score higher by hundreds, also those that are hidden.",
    )
    held = loud(rng, 14, 7, 9, 11, 3, (54.0, 50.0, 52.0))
    held["layers"][0]["w_k"][0] *= -1
    yield case(
        rng,
        "every score far below zero",
        *(2, 4, 14, 7, 9, 11, 3),
        held=held,
        rule=LARGE,
        note="The largest score of each row is below -1000.",
    )
    held = loud(rng, 13, 7, 9, 10, 3, (8.4, 8.2, 8.0))
    held["layers"][0]["w_k"][0] *= -1
    yield case(
        rng,
        "every score near -40",
        *(2, 5, 13, 7, 9, 10, 3),
        held=held,
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield case(
        rng, "one text", 1, 5, 12, 8, 6, 10, 2, rule=ONE, note="A batch of one is still a batch."
    )
    yield case(
        rng,
        "one token",
        3,
        1,
        10,
        5,
        6,
        1,
        2,
        same="n = F = 1: nothing can be smaller",
        rule=ONE,
        note="The shortest text sees itself, and the middle is one number wide.",
    )
    yield case(
        rng,
        "double precision",
        2,
        6,
        11,
        8,
        9,
        14,
        3,
        held=sharp(each(lambda a: a * np.float64(1.01), weights(rng, 11, 8, 9, 14))),
        rule=PRECISION,
        note="The weights are float64, and so are the logits.",
    )
    yield case(
        rng,
        "a loud middle in float64",
        2,
        5,
        12,
        8,
        6,
        13,
        2,
        held=loud_middle(sharp(each(lambda a: a * np.float64(1.01), weights(rng, 12, 8, 6, 13)))),
        rule=PRECISION,
        note="The feed-forward part adds thousands to what there is.",
    )
    yield case(
        rng,
        "cancelling numbers in float64",
        2,
        7,
        12,
        9,
        10,
        8,
        2,
        held=cancelling(rng, 12, 9, 10, 8, 2),
        rule=PRECISION,
        note="Large parts of scores, activations and logits cancel, and what is left shows each rounding.",
    )
    held = weights(rng, 9, 7, 6, 11)
    names = leaves("weights", held)
    yield in_float64(
        case(
            rng,
            "inputs stay as they were",
            2,
            5,
            9,
            7,
            6,
            11,
            3,
            held=held,
            wants=("after.tokens", *(f"after.{name}" for name in names)),
            rule=INPUTS,
            note="Tokens and weights are looked at again after the call.",
        )
    )
    yield case(
        rng,
        "views with gaps",
        2,
        4,
        11,
        7,
        6,
        9,
        2,
        layout=dict.fromkeys(("tokens", *names), "strided"),
        rule=VIEWS,
        note="All arrays are views with gaps between their elements.",
    )
    yield case(
        rng,
        "read-only arrays",
        2,
        4,
        13,
        7,
        6,
        10,
        2,
        layout=dict.fromkeys(("tokens", *names), "readonly"),
        rule=VIEWS,
        note="In NumPy the arrays refuse to be written to.",
    )
    yield case(
        rng,
        "the same sizes, other weights",
        3,
        5,
        14,
        8,
        6,
        9,
        2,
        before={"tokens": rng.integers(0, 14, (3, 5)), "weights": weights(rng, 14, 8, 6, 9)},
        rule=REMEMBERS,
        note="A call with other tokens and other weights of the same sizes came before.",
    )
    learning = case(
        rng,
        "gradients",
        2,
        5,
        12,
        7,
        6,
        9,
        3,
        wants=tuple(f"grad.{name}" for name in names),
        rule=GRADIENTS,
        note="All weights learn.",
    )
    learning.inputs["tokens"][0, :2] = 0, 11  # the first token of the table is one like any other
    yield learning
    yield case(
        rng,
        "as many texts as tokens",
        4,
        4,
        11,
        7,
        6,
        10,
        3,
        same="B = n, so that a place taken for a text does not show in the shape",
        note="Does each token find its own place?",
    )
    yield case(
        rng,
        "far digits of the activation in float64",
        2,
        4,
        9,
        5,
        6,
        60,
        3,
        held=far_digits(rng, each(lambda a: a * np.float64(1.01), weights(rng, 9, 5, 6, 60))),
        rule=PRECISION,
        note="A wide middle of numbers near -1 and near 8: what they add cancels, and the far digits of the activation are left.",
    )
    names = leaves("weights", held)
    yield case(
        rng,
        "gradients, the future scores high",
        2,
        5,
        12,
        7,
        9,
        8,
        3,
        held=loud_last(weights(rng, 12, 7, 9, 8), 4, 3),
        wants=tuple(f"grad.{name}" for name in names),
        rule=GRADIENTS,
        note="In one head the last token scores hundreds above the others with those that do not see it.",
    )


def leaves(name, tree):
    """The names of the arrays in dicts and lists."""
    if isinstance(tree, dict):
        return [leaf for key, part in tree.items() for leaf in leaves(f"{name}.{key}", part)]
    if isinstance(tree, list):
        return [leaf for i, part in enumerate(tree) for leaf in leaves(f"{name}[{i}]", part)]
    return [name]


def silent(held, number):
    """Keeps one number of each normalised token constant for attention, at `number`."""
    first = held["layers"][0]
    first["norm_1"]["gain"][0], first["norm_1"]["bias"][0] = 0, number
    for name in ("w_q", "w_k", "w_v"):
        first[name][0] = 0
    return first


def loud(rng, V, C, E, F, H, sizes=(24.0, 4.0, 12.0)):
    """All scores of a head share a large part, of a size of its own."""
    held = weights(rng, V, C, E, F)
    first = silent(held, 3.0)
    for head, size in zip(range(H), sizes, strict=True):
        column = head * (E // H)
        first["w_q"][:, column], first["w_k"][:, column] = 0, 0
        first["w_q"][0, column] = first["w_k"][0, column] = size / 3
    return held


def by_row(held, column):
    """The scores of the head that begins there share a large part that differs from row to row."""
    held["layers"][0]["w_q"][:2, column] = 0, 60
    return held


def by_key(held, column):
    """The scores of the head that begins there have a large part that differs from key to key."""
    first = held["layers"][0]
    first["norm_1"]["gain"][1], first["norm_1"]["bias"][1] = 1, 0
    first["w_k"][:2, column] = 0, 60
    return held


def loud_last(held, place, H):
    """In the first head one place scores some 200 with all queries before it, from two numbers
    of a query that differ elsewhere, and two of a key that differ in that place alone.
    """
    first = held["layers"][0]
    E = len(first["w_q"])
    held["embedding"][:, :4], held["positions"][:, :4] = (2, 0, 0, -2), 0
    held["positions"][place, 1:3] = 100, -100
    first["norm_1"]["gain"][:4], first["norm_1"]["bias"][:4] = 1, 0
    size = np.sqrt(20 * np.sqrt(E / H))
    for name, one, other in (("w_q", 0, 3), ("w_k", 1, 2)):
        first[name][:, 0] = 0
        first[name][[one, other], 0] = size, -size
    return held


def quiet(held):
    """All that is added up on the way is a thousandth of what it would be."""
    for array in (held["embedding"], held["positions"]):
        array *= np.float32(1e-3)
    for one in held["layers"]:
        one["w_o"] *= np.float32(1e-3)
        one["w_out"] *= np.float32(1e-3)
    return held


def sharp(held):
    """Scores with a spread of about 6: some weights are a millionth."""
    held["layers"][0]["w_q"] *= 3
    return held


def loud_middle(held):
    """What the feed-forward part adds is some thousand times as large as what there is."""
    held["layers"][0]["w_out"] *= 3000
    return held


def far_digits(rng, held):
    """The numbers of the middle are near -1 and near 8, in pairs whose activations cancel on the
    way out, but for about 1; an error of all those near -1 becomes some hundred times as large.
    """
    first = held["layers"][0]
    first["norm_2"]["gain"][0], first["norm_2"]["bias"][0] = 0, 1
    first["w_in"] *= 0.003
    first["w_in"][0, ::2] = -1
    first["w_in"][0, 1::2] = 8
    E, F = first["w_in"].shape
    first["w_out"][::2] = rng.uniform(4, 12, (F // 2, 1)) * rng.standard_normal(E)
    first["w_out"][1::2] = first["w_out"][::2] * 0.1588 / 8
    return held


def lowest(held, E, H):
    """All scores of the last head are -9 999. Its values are small, because such scores round."""
    first, D = held["layers"][0], E // H
    root = (9_999 * np.sqrt(D)) ** 0.5 / 3
    for name, sign in (("w_q", 1), ("w_k", -1)):
        first[name][:, -D:] = 0
        first[name][0, -D] = sign * root
    first["w_v"][:, -D:] /= 4
    return held


def cancelling(rng, V, C, E, F, H):
    """Of each head two columns are nearly the same, and so are two columns of the middle of the
    feed-forward part; what follows multiplies them with large and opposite numbers. All scores
    share a large part, and so do all numbers of an embedding: the norms take that away.
    """
    held = each(lambda a: a * np.float64(1.01), weights(rng, V, C, E, F))
    first, D, large = silent(held, 1.3), E // H, 3e4
    for column in range(0, E, D):
        first["w_q"][:, column], first["w_k"][:, column] = 0, 0
        first["w_q"][0, column] = first["w_k"][0, column] = 28.0
        first["w_v"][:, column + 1] = first["w_v"][:, column] + first["w_v"][:, column + 1] / large
        first["w_o"][column] *= large
        first["w_o"][column + 1] = -first["w_o"][column]
    first["w_in"][:, 1] = first["w_in"][:, 0] + first["w_in"][:, 1] / large
    first["w_out"][0] *= large
    first["w_out"][1] = -first["w_out"][0]
    held["embedding"] += 3000 * 1.01
    held["norm"]["gain"][:], held["norm"]["bias"][:] = 1.3, 0
    return held


def domain(rng):
    """Any sizes, heads and layers, both dtypes."""
    for number in range(40):
        B, H, D = map(int, rng.choice([1, 2, 3], 3))
        E, F, V = max(H * D, 2 * H), int(rng.integers(1, 6)), int(rng.integers(2, 6))
        n = int(rng.integers(1, 5))
        C = n + int(rng.integers(3))
        dtype, spread = rng.choice([np.float32, np.float64]), rng.choice([1, 1, 3])
        held = weights(rng, V, C, E, F, int(rng.integers(1, 3)))
        held = each(lambda a, t=dtype, s=spread: (a * s).astype(t) * t(1.01), held)
        yield Case(
            str(number),
            inputs={"tokens": rng.integers(0, V, (B, n)), "weights": held},
            options={"config": {"num_heads": H, "eps": float(rng.choice([1e-5, 1e-3]))}},
        )
