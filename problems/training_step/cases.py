"""Steps of gradient descent of a language model with one layer of attention."""

import numpy as np

from grader.case import Case, in_float64

ALL = "All weights learn"
OCCURRENCE = "Every occurrence teaches"
STEPS = "Steps follow one another"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
REMEMBERS = "Remembers nothing between calls"

NAMES = ("embedding", "w_q", "w_k", "w_v", "w_out")


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def weights(rng, V, E):
    """Scores with a spread of about 2, logits with one of about 1.5."""
    small = np.float32(1 / np.sqrt(E))
    return {
        "embedding": normal(rng, V, E),
        "w_q": np.float32(1.6) * small * normal(rng, E, E),
        "w_k": np.float32(1.2) * small * normal(rng, E, E),
        "w_v": small * normal(rng, E, E),
        "w_out": small * normal(rng, E, V),
    }


def distinct(rng, V, B, N):
    """Sentences in which no word comes twice, nor in two of them."""
    return rng.permutation(V)[: B * N].reshape(B, N)


def rounded(arrays):
    return {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}


def case(rng, name, B, N, V, E, tokens=None, order=NAMES, **rest):
    """What is no field of a case is an option of the driver; `order` is that of the dict."""
    options = {key: rest.pop(key) for key in ("learning_rate", "steps", "twice") if key in rest}
    options.setdefault("learning_rate", 0.5)
    tokens = distinct(rng, V, B, N) if tokens is None else tokens
    held = weights(rng, V, E)
    inputs = {"weights": {name: held[name] for name in order}, "tokens": tokens}
    return Case(name, inputs=inputs, options=options, **rest)


def cases(rng):
    small = {"weights": rounded(weights(rng, 6, 2)), "tokens": distinct(rng, 6, 1, 4)}
    yield Case(
        "one sentence, one step",
        inputs=small,
        options={"learning_rate": 0.5, "steps": 1},
        sample=True,
        note="Three guesses, one loss, and five weights that take a step.",
    )
    small = {"weights": rounded(weights(rng, 6, 2)), "tokens": distinct(rng, 6, 1, 5)}
    yield Case(
        "one sentence, three steps",
        inputs=small,
        options={"learning_rate": 0.5, "steps": 3},
        sample=True,
        rule=STEPS,
        note="The same sentence three times: the loss goes down.",
    )
    yield case(rng, "two sentences", 2, 5, 13, 6, note="All sizes differ, and no word comes twice.")
    yield case(
        rng,
        "more words than numbers",
        3,
        7,
        29,
        4,
        order=("embedding", "w_v", "w_q", "w_k", "w_out"),
        note="A larger vocabulary and longer sentences. In the dict, the weights stand in another order.",
    )
    yield case(rng, "a long sentence", 1, 140, 150, 5, note="More than a hundred words.")
    yield half_zero(rng)
    yield case(
        rng,
        "a small step",
        2,
        6,
        17,
        5,
        order=NAMES[::-1],
        learning_rate=float(rng.uniform(0.01, 0.05)),
        note="The learning rate is small, so the new weights are near the old ones. The dict is in reverse order.",
    )
    yield case(
        rng,
        "a large step",
        2,
        6,
        15,
        5,
        learning_rate=20.0,
        rule=ALL,
        note="A step so large that the new weights are little else but gradient.",
    )
    yield scaled(
        rng,
        "tiny words",
        (2, 6, 15, 7),
        2.0**-20,
        learning_rate=2.0**40,
        note="Each word is tiny, and the output layer is large: no number is too small to count.",
    )
    yield scaled(
        rng,
        "a tiny output layer",
        (3, 5, 17, 7),
        2.0**18,
        learning_rate=2.0**-36,
        note="Each word is large, and the output layer and its step are tiny: they count all the same.",
    )
    yield scaled(
        rng,
        "numbers of very different size",
        (2, 5, 14, 8),
        2.0 ** (10 * signs(8)),
        note="The numbers of a word are a thousand times as large and as small as usual, in turns.",
    )
    yield undecided(rng)
    yield hardly_seen(rng)
    yield one_seen(rng)
    yield unlikely(rng)
    tokens = distinct(rng, 11, 1, 7)
    tokens[0, 3] = tokens[0, 1]
    yield case(
        rng,
        "a word that comes twice",
        1,
        7,
        11,
        5,
        tokens,
        rule=OCCURRENCE,
        note="A word of the sentence comes again two places later.",
    )
    tokens = np.stack([rng.permutation(9)[:7] for _ in range(3)])
    tokens[:, 0] = tokens[0, 0]
    yield case(
        rng,
        "sentences with words in common",
        3,
        7,
        9,
        4,
        tokens,
        rule=OCCURRENCE,
        note="All sentences begin with the same word, and share others.",
    )
    yield case(
        rng,
        "twenty steps",
        2,
        7,
        16,
        6,
        wants=("losses",),
        steps=20,
        learning_rate=0.2,  # a larger one is chaos in some draws
        rule=STEPS,
        note="The loss of every step, while the sentences are learned.",
    )
    yield case(
        rng,
        "five steps",
        3,
        4,
        14,
        7,
        layout=dict.fromkeys((*(f"weights.{name}" for name in NAMES), "tokens"), "transposed"),
        steps=5,
        rule=STEPS,
        note="The losses and the weights after five steps.",
    )
    yield loud(rng)
    far = case(
        rng,
        "scores of hundreds",
        2,
        6,
        14,
        5,
        learning_rate=0.1,
        rule=LARGE,
        note="Scores of -400 and 400, which exp cannot take in float32: words see mostly those of the other sign.",
    )
    common(far.inputs, 20.0)
    far.inputs["weights.w_k"][-1, -1] *= -1
    far.inputs["weights.embedding"][far.inputs["tokens"][:, 1::2], -1] *= -1
    yield far
    far = case(
        rng,
        "scores down to -10 000",
        3,
        5,
        16,
        4,
        learning_rate=0.05,  # a larger step shows a guard in a denominator
        rule=LARGE,
        note="Scores near 0, -100 and -10 000, where exp is 0 even in float64 and what is hidden "
        "must lie lower still.",
    )
    common(far.inputs, 141.415)
    far.inputs["weights.w_q"][:-1] = 0
    far.inputs["weights.w_k"][-1, -1] *= -1
    near, low = far.inputs["tokens"][:2], far.inputs["tokens"][2]
    far.inputs["weights.embedding"][near, -1] = [[0.2], [1.4]]
    # its first words see themselves alone
    far.inputs["weights.embedding"][low, -1] *= [1, 0.9, 0.8, -0.01, 1]
    yield far
    yield sure(rng)
    faint = case(
        rng,
        "every score near -40",
        *(2, 7, 15, 6),
        learning_rate=0.1,
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    common(faint.inputs, 9.9)
    faint.inputs["weights.w_k"][-1, -1] *= -1
    yield faint
    yield case(rng, "one sentence", 1, 6, 9, 5, rule=ONE, note="A batch of one is still a batch.")
    yield case(
        rng,
        "one target",
        3,
        2,
        8,
        5,
        rule=ONE,
        note="Sentences of two words: a single guess in each.",
    )
    yield case(rng, "one sentence, one target", 1, 2, 7, 3, rule=ONE, note="A single guess in all.")
    narrow = case(
        rng, "one number wide", 2, 5, 11, 1, rule=ONE, note="Each word is a single number."
    )
    for name in NAMES:  # a product of four numbers can be large, and then a guess is too sure
        np.clip(narrow.inputs[f"weights.{name}"], -1.5, 1.5, out=narrow.inputs[f"weights.{name}"])
    for name in ("w_q", "w_k", "w_v"):  # and with a weight near zero nothing of the words is told
        weight = narrow.inputs[f"weights.{name}"]
        weight[...] = np.copysign(np.maximum(np.abs(weight), np.float32(0.7)), weight)
    yield narrow
    double = {name: w * np.float64(1.01) for name, w in weights(rng, 18, 7).items()}
    yield Case(
        "double precision",
        inputs={"weights": double, "tokens": distinct(rng, 18, 3, 6)},
        options={"learning_rate": 0.25, "steps": 2},
        rule=PRECISION,
        note="The weights are float64, and so are the new ones and the loss.",
    )
    yield Case(
        "cancelling numbers in float64",
        inputs=cancelling(rng),
        options={"learning_rate": 0.25},
        rule=PRECISION,
        note="Large parts of scores and logits cancel, and what is left shows each rounding.",
    )
    yield Case(
        "cancelling values in float64",
        inputs=cancelling_values(rng),
        options={"learning_rate": 0.25},
        rule=PRECISION,
        note="Two large values cancel in each sum of values, and what is left is a small difference of two scores.",
    )
    yield in_float64(
        case(
            rng,
            "weights stay as they were",
            2,
            4,
            10,
            5,
            wants=(*(f"after.weights.{name}" for name in NAMES), "after.tokens"),
            rule=INPUTS,
            note="The caller still has the old weights; they are looked at again after the call.",
        )
    )
    layout = dict.fromkeys((*(f"weights.{name}" for name in NAMES), "tokens"), "strided")
    yield case(
        rng,
        "views with gaps",
        2,
        5,
        13,
        7,
        layout=layout,
        rule=VIEWS,
        note="All arrays are views with gaps between their elements.",
    )
    yield case(
        rng,
        "read-only arrays",
        2,
        6,
        14,
        8,
        layout=dict.fromkeys(layout, "readonly"),
        rule=VIEWS,
        note="In NumPy the arrays refuse to be written to.",
    )
    yield case(
        rng,
        "the same sizes, other words",
        3,
        5,
        19,
        6,
        before={"weights": weights(rng, 19, 6), "tokens": distinct(rng, 19, 3, 5)},
        rule=REMEMBERS,
        note="A step with other weights and other sentences of the same sizes came before.",
    )
    yield case(
        rng,
        "two steps, each tried before",
        2,
        6,
        15,
        7,
        steps=2,
        twice=True,
        rule=REMEMBERS,
        note="Each step is taken twice with the same weights; the second one must be like the first.",
    )


def half_zero(rng):
    """A number of every weight is exactly zero, as after pruning."""
    pruned = case(rng, "weights with zeros", 2, 6, 16, 9, note="Half of all weights are exactly 0.")
    for name in NAMES:
        weight = pruned.inputs[f"weights.{name}"]
        weight.flat[rng.permutation(weight.size)[::2]] = 0
    return pruned


def loud(rng):
    """Half of all guesses are wrong by 500, for a word that never comes."""
    far = case(
        rng,
        "logits of hundreds",
        2,
        5,
        12,
        7,
        learning_rate=0.1,
        rule=LARGE,
        note="Logits that exp cannot take in float32: around 800 in one guess, around -800 in the next.",
    )
    embedding, w_q, w_k, w_v, w_out = (far.inputs[f"weights.{name}"] for name in NAMES)
    low = far.inputs["tokens"][:, ::2]
    embedding[:, 0], embedding[low, 0] = 20, -20
    embedding[:, 1], embedding[low, 1] = 0, 1
    w_out[0] = 40
    w_out[1:] *= 20
    w_out[1], w_out[1, np.setdiff1d(np.arange(12), far.inputs["tokens"])[0]] = 0, 500
    w_q[0], w_k[0] = 0, 0  # the scores do not see it
    w_v[:, :2] = 0
    return far


def sure(rng, B=2, N=4, E=9):
    """Each word is a number of its own, and the output layer gives it the word behind it, with a
    logit of exactly 150 where all others are 0: probabilities of exactly 1 and 0 in float32. What
    attention finds goes into a number that no logit sees.
    """
    V = E - 1
    tokens, numbers = rng.permutation(V).reshape(B, N), rng.permutation(E)
    held = weights(rng, V, E)
    held["embedding"] = np.eye(E, dtype=np.float32)[numbers[:V]]
    held["w_v"][:, numbers[:V]] = 0
    held["w_out"][:] = 0
    held["w_out"][numbers[tokens[:, :-1]], tokens[:, 1:]] = 150
    return Case(
        "guesses that are sure",
        inputs={"weights": held, "tokens": tokens},
        options={"learning_rate": 0.01},
        rule=LARGE,
        note="Every guess is right and as sure as can be: there is nothing left to learn.",
    )


def common(arrays, size):
    """Gives all scores of a row the same large part, size² · √E / √E: the last number of each word
    is `size` / 10, and only attention sees it.
    """
    embedding, w_q, w_k, w_v, w_out = (arrays[f"weights.{name}"] for name in NAMES)
    embedding[:, -1] = size / 10
    for w in (w_q, w_k):
        w[-1, :], w[:, -1] = 0, 0
        w[-1, -1] = 10
    w_v[-1], w_v[:, -1], w_out[-1] = 0, 0, 0


def cancelling(rng, B=2, N=7, V=18, E=8):
    """The first two numbers of a word are nearly the same, and their weights in the output layer are
    large and opposite; the third is the same for all words and adds a large number to all logits.
    The fourth is 0, and two words that never come and have nearly the same logits have large and
    opposite weights for it. All scores of a row share a large part, too.
    """
    arrays = {name: w.astype(np.float64) * 1.01 for name, w in weights(rng, V, E).items()}
    embedding, _, _, w_v, w_out = arrays.values()
    large = 1e5
    embedding[:, 1] = embedding[:, 0] + embedding[:, 1] / large
    w_v[:, 1] = w_v[:, 0] + w_v[:, 1] / large
    w_out[1] = -large * rng.uniform(1, 2, V)
    w_out[0] = -w_out[1]
    embedding[:, 2], w_v[2] = 1.1, 0
    w_v[:, 2] = 0
    w_out[2] = 50
    tokens = distinct(rng, V, B, N)
    one, other = np.setdiff1d(np.arange(V), tokens)[:2]
    w_out[:2, one] = 0
    w_out[:, other] = w_out[:, one]
    w_out[2, other] += rng.uniform(1.1e-4, 1.4e-4)
    embedding[:, 3], w_v[:, 3], w_out[3], w_out[3, [one, other]] = 0, 0, 0, [1e10, -1e10]
    common({f"weights.{name}": array for name, array in arrays.items()}, 38.0)
    return {"weights": arrays, "tokens": tokens}


def cancelling_values(rng, B=2, N=6, V=17, E=8):
    """The second and the third word of a sentence have large and opposite values. To the keys all
    words are nearly alike, so those cancel, but for a small difference of two scores. The second
    word, which does not see the third, keeps away from itself. In the first sentence scores share a
    large part, in the second one they are near 0.
    """
    arrays = {name: w.astype(np.float64) * 1.01 for name, w in weights(rng, V, E).items()}
    embedding, w_q, w_k, w_v, _ = arrays.values()
    tokens, large = distinct(rng, V, B, N), 2.0**25
    common({f"weights.{name}": array for name, array in arrays.items()}, 4.0)
    embedding[tokens[1], -1] = 0
    embedding[:, :2] = 0
    embedding[tokens[:, 1], 0] = size = rng.uniform(0.6, 0.9, B)
    embedding[tokens[:, 2], 0] = -size + rng.normal(size=B) / large
    embedding[tokens[:, 1:3], 1] = 1
    w_k[:-1] /= large
    w_q[:2], w_k[:2], w_v[:2] = 0, 0, 0
    w_q[:, 1], w_k[:, 1], w_v[:, 2] = 0, 0, 0
    w_q[0, 1], w_k[1, 1], w_v[0, 2] = -10, 20, large
    return {"weights": arrays, "tokens": tokens}


def signs(count):
    return np.where(np.arange(count) % 2, -1, 1).astype(np.float32)


def scaled(rng, name, sizes, factor, **rest):
    """What is multiplied by a power of two in one factor is divided by it in the next: the numbers
    of words, weights, and in turns the numbers of queries and keys.
    """
    same = case(rng, name, *sizes, rule=ALL, **rest)
    embedding, w_q, w_k, w_v, w_out = (same.inputs[f"weights.{name}"] for name in NAMES)
    size = np.broadcast_to(np.float32(factor), sizes[-1])
    turns = np.float32(2**20) ** signs(sizes[-1])
    embedding *= size
    w_q *= turns / size[:, None]
    w_k /= turns * size[:, None]
    w_v *= size / size[:, None]
    w_out /= size[:, None]
    return same


def undecided(rng):
    """An output layer of millionths: all gradients but its own are tiny, and the step is large."""
    even = case(
        rng,
        "guesses that are undecided",
        5,
        9,
        46,
        6,
        learning_rate=2.0**20,
        rule=ALL,
        note="All words are nearly as likely: gradients are millionths, and the step is large.",
    )
    even.inputs["weights.w_out"] *= np.float32(2**-20)
    return even


def hardly_seen(rng):
    """The second word of a sentence has a large value, of which the words behind it take a small
    part. It sees the first word only, not itself. The first word has a key of 0, so that rounding
    in that row does not count.
    """
    far = case(
        rng,
        "a large value that is hardly seen",
        2,
        7,
        18,
        5,
        learning_rate=20_000.0,
        note="A weight below a ten-thousandth lies on a word with a large value.",
    )
    embedding, w_q, w_k, w_v, w_out = (far.inputs[f"weights.{name}"] for name in NAMES)
    embedding[:, :2] = 0, 1
    embedding[far.inputs["tokens"][:, 0], 2:] = 0
    embedding[far.inputs["tokens"][:, 1]] = 4096, 1, 0, 0, 0
    for w in (w_q, w_k):
        w[:2], w[:, 0] = 0, 0
    w_q *= np.float32(0.5)
    w_q[1, 1:], w_q[:2, 0], w_k[0, 0] = 0, [-1 / 32, -26], 1 / 4096
    w_v[:2], w_v[:, :2] = 0, 0
    w_v[0, 2] = 4
    w_out[:2] = 0
    return far


def one_seen(rng):
    """All words but the last look at the first one with a weight of 0.99993, and at the second with
    most of what is left.
    """
    near = case(
        rng,
        "nearly all attention on one word",
        2,
        6,
        20,
        7,
        learning_rate=40.0,
        note="Most words look at the first one, and hardly at any other: that is not nothing.",
    )
    embedding, w_q, w_k, w_v, w_out = (near.inputs[f"weights.{name}"] for name in NAMES)
    tokens = near.inputs["tokens"]
    embedding[:, :2] = -14, 1
    embedding[tokens[:, 0], 0], embedding[tokens[:, 1], 0], embedding[tokens[:, 4], 0] = 0, -9.6, 1
    for w in (w_q, w_k):
        w *= np.float32(0.1)
        w[0], w[:, 0] = 0, 0
    w_q[1, 0], w_k[0, 0] = np.sqrt(7), 1
    w_v *= 2
    w_out *= np.float32(0.5)  # no target is so unlikely that a small number beside it shows
    w_v[0], w_v[:, 0], w_out[0] = 0, 0, 0
    return near


def unlikely(rng):
    """A word that never comes has a probability of about a millionth. The first number of all words
    is 0, and that word alone has a weight for it, a large one. The numbers of queries and keys are
    large and small in turns.
    """
    rare = case(
        rng,
        "an unlikely word",
        2,
        6,
        19,
        8,
        note="A word that is hardly possible has a large weight, and so it counts.",
    )
    embedding, w_q, w_k, w_v, w_out = (rare.inputs[f"weights.{name}"] for name in NAMES)
    never = np.setdiff1d(np.arange(19), rare.inputs["tokens"])[0]
    embedding[:, :2] = 0, 1
    w_v[:, :2], w_out[0], w_out[1] = 0, 0, 0
    w_out[:2, never] = 2.0**18, -11
    turns = np.float32(2**20) ** signs(8)
    w_q *= turns
    w_k /= turns
    return rare


def domain(rng):
    """Any sizes and words, several steps, both dtypes."""
    for number in range(50):
        B, E = map(int, rng.choice([1, 2, 3, 4], 2))
        N, V = int(rng.integers(2, 6)), int(rng.integers(2, 9))
        dtype, spread = rng.choice([np.float32, np.float64]), rng.choice([1, 1, 5])
        held = {n: (w * spread).astype(dtype) * dtype(1.01) for n, w in weights(rng, V, E).items()}
        yield Case(
            str(number),
            inputs={"weights": held, "tokens": rng.integers(0, V, (B, N))},
            options={
                "learning_rate": float(rng.choice([0.01, 0.1])),
                "steps": int(rng.integers(1, 3)),
            },
        )
