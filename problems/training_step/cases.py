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


def case(rng, name, B, N, V, E, tokens=None, **rest):
    """What is no field of a case is an option of the driver."""
    options = {key: rest.pop(key) for key in ("learning_rate", "steps") if key in rest}
    options.setdefault("learning_rate", 0.5)
    tokens = distinct(rng, V, B, N) if tokens is None else tokens
    inputs = {"weights": weights(rng, V, E), "tokens": tokens}
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
        note="A larger vocabulary and longer sentences.",
    )
    yield half_zero(rng)
    yield case(
        rng,
        "a small step",
        2,
        6,
        17,
        5,
        learning_rate=float(rng.uniform(0.01, 0.05)),
        note="The learning rate is small, so the new weights are near the old ones.",
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
        learning_rate=0.3,
        rule=STEPS,
        note="The loss of every step, from the first guess to sentences that are nearly known by heart.",
    )
    yield case(
        rng,
        "five steps",
        3,
        4,
        14,
        7,
        steps=5,
        rule=STEPS,
        note="The losses and the weights after five steps.",
    )
    loud = case(
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
    loud.inputs["weights.embedding"][:, 0] = 20
    loud.inputs["weights.embedding"][loud.inputs["tokens"][:, ::2], 0] = -20
    loud.inputs["weights.w_out"][0] = 40
    loud.inputs["weights.w_out"][1:] *= 20
    for name in ("w_q", "w_k"):  # the scores do not see it
        loud.inputs[f"weights.{name}"][0] = 0
    loud.inputs["weights.w_v"][:, 0] = 0
    yield loud
    loud = case(
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
    common(loud.inputs, 20.0)
    loud.inputs["weights.w_k"][-1, -1] *= -1
    loud.inputs["weights.embedding"][loud.inputs["tokens"][:, 1::2], -1] *= -1
    yield loud
    loud = case(
        rng,
        "single scores down to -10 000",
        3,
        2,
        9,
        4,
        rule=LARGE,
        note="A single word is in sight; its score is near 0, -100 or -10 000, where exp is 0 even in float64.",
    )
    common(loud.inputs, 140.0)
    loud.inputs["weights.w_k"][-1, -1] *= -1
    loud.inputs["weights.embedding"][loud.inputs["tokens"][:2, 0], -1] = 0.2, 1.4
    yield loud
    yield sure(rng)
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
    yield case(
        rng,
        "one number wide",
        2,
        5,
        11,
        1,
        rule=ONE,
        note="Each word is a single number.",
    )
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


def half_zero(rng):
    """A number of every weight is exactly zero, as after pruning."""
    pruned = case(rng, "weights with zeros", 2, 6, 16, 9, note="Half of all weights are exactly 0.")
    for name in NAMES:
        weight = pruned.inputs[f"weights.{name}"]
        weight.flat[rng.permutation(weight.size)[::2]] = 0
    return pruned


def sure(rng, B=2, N=4, E=9):
    """Words are orthogonal to each other, and the output layer gives each the word behind it, with
    a logit 150 above all others: probabilities of exactly 1 and 0 in float32.
    """
    V = E - 1
    words = np.linalg.qr(rng.normal(size=(E, E)))[0][:V].astype(np.float32)
    tokens = rng.permutation(V).reshape(B, N)
    held = {"embedding": words, **dict.fromkeys(("w_q", "w_k"), words.T @ words)}
    held["w_v"] = np.float32(0.05) * normal(rng, E, E)
    held["w_out"] = np.zeros((E, V), np.float32)
    held["w_out"][:, tokens[:, 1:]] = 150 * words.T[:, tokens[:, :-1]]
    return Case(
        "guesses that are sure",
        inputs={"weights": held, "tokens": tokens},
        options={"learning_rate": 0.5},
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


def cancelling(rng, B=2, N=7, V=18, E=6):
    """The first two numbers of a word are nearly the same, and their weights in the output layer are
    large and opposite; the third is the same for all words and adds a large number to all logits;
    what attention takes over of the fourth is its opposite, so a large part of it cancels, forwards
    and backwards. All scores of a row share a large part, too.
    """
    arrays = {name: w.astype(np.float64) * 1.01 for name, w in weights(rng, V, E).items()}
    embedding, w_q, w_k, w_v, w_out = arrays.values()
    large = 1e5
    embedding[:, 1] = embedding[:, 0] + embedding[:, 1] / large
    w_v[:, 1] = w_v[:, 0] + w_v[:, 1] / large
    w_out[1] = -large * rng.uniform(1, 2, V)
    w_out[0] = -w_out[1]
    embedding[:, 2], w_v[2] = 1.1, 0
    w_v[:, 2] = 0
    w_out[2] = 550
    embedding[:, 3] += 1e4
    w_v[3], w_v[:, 3], w_v[3, 3] = 0, 0, -1
    w_q[3], w_k[3] = 0, 0
    common({f"weights.{name}": array for name, array in arrays.items()}, 38.0)
    return {"weights": arrays, "tokens": distinct(rng, V, B, N)}


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
