"""The loss of a language model: which word is compared with which, and what padding may do."""

import numpy as np

from grader.case import Case, in_float64

TARGET = "Padding is never predicted"
SOURCE = "Padding predicts nothing"
ANY_ID = "Any token may be padding"
NOTHING = "Nothing left gives 0"
LARGE = "Large logits"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def draw(rng, B, n, V):
    """Texts without word 0, and logits that spread over 2 around a number of each place. All texts
    begin with one word, and at their last place nothing is less likely than that.
    """
    logits = 2 * rng.standard_normal((B, n, V)) + 3 * rng.standard_normal((B, n, 1))
    tokens = rng.integers(1, V, (B, n))
    tokens[:, 0] = tokens[0, 0]
    logits[:, -1, tokens[0, 0]] -= 30
    return {"logits": logits.astype(np.float32), "tokens": tokens}


def rounded(arrays):
    return {**arrays, "logits": arrays["logits"].round(1) + np.float32(0)}


def padded(arrays, left=0, right=0, pad_id=0):
    """So many tokens at either end become padding; a list says it for each text."""
    B, n = arrays["tokens"].shape
    place = np.arange(n)
    begin = np.broadcast_to(left, B)[:, None]
    end = n - np.broadcast_to(right, B)[:, None]
    tokens = np.where((place >= begin) & (place < end), arrays["tokens"], pad_id)
    return {**arrays, "tokens": tokens}


def with_hole(rng, arrays):
    """One token between the words of each text of six becomes padding; two pairs are left in each.
    No two of three texts have it in the same place.
    """
    drawn = [int(rng.integers(2, 5)) for _ in arrays["tokens"]]
    for number, text in enumerate(arrays["tokens"]):
        text[2 + (drawn[0] + number) % 3] = 0
    return arrays


def with_nan(arrays):
    """Where padding stands, the model says nothing that could be a number: NaN at the first place,
    infinities of both signs at the second, and so on.
    """
    hidden = arrays["tokens"] == 0
    _, n, V = arrays["logits"].shape
    infinite = np.resize(np.float32([-np.inf, np.inf]), V)
    said = np.where(np.arange(n)[:, None] % 2, infinite, np.float32(np.nan))
    return {**arrays, "logits": np.where(hidden[..., None], said, arrays["logits"])}


def one_text_empty(rng, B, n, V, pad_id):
    """The words 0 to V - 1 but `pad_id`, word 0 more often; one text holds padding alone. At its
    last place nothing is less likely than the first word of the same text.
    """
    arrays = draw(rng, B, n, V)
    words = np.array([word for word in range(V) if word != pad_id])
    arrays["tokens"] = rng.choice(words, (B, n))
    arrays["tokens"][rng.random((B, n)) < 0.4] = 0
    arrays["logits"][np.arange(B), -1, arrays["tokens"][:, 0]] -= 30
    arrays["tokens"][rng.integers(B)] = pad_id
    return arrays


def some_certain(rng, B, n, V):
    """At every second place the next word lies 40 above all others."""
    arrays = draw(rng, B, n, V)
    logits, words = arrays["logits"][:, :-1:2], arrays["tokens"][:, 1::2, None]
    np.put_along_axis(logits, words, logits.max(axis=-1, keepdims=True) + np.float32(40), 2)
    return arrays


def certain_and_wrong(rng, B, n, V):
    """The next words lie so far below the others that their probability is 0 in every float."""
    arrays = draw(rng, B, n, V)
    logits, words = arrays["logits"][:, :-1], arrays["tokens"][:, 1:, None]
    far = np.take_along_axis(logits, words, 2) - rng.uniform(1500, 2900, words.shape)
    np.put_along_axis(logits, words, far.astype(np.float32), 2)
    return arrays


def far_from_zero(rng, V):
    """Places near 9 000, near -7 000 and near 0; one of these goes from end to end."""
    arrays = certain_and_wrong(rng, 2, 4, V)
    arrays["logits"] += np.array([9_000, -7_000, 0, 5_000], dtype=np.float32)[:, None]
    text = rng.integers(2)
    word = arrays["tokens"][text, 3]
    arrays["logits"][text, 2, [word, word - 1]] = -9_990, 9_990
    return arrays


def between_floats(rng, B, n, V):
    """float64 logits near 650. In float32 the next word is rounded down and every other up, by
    nearly half of the distance between two numbers. The next word has most of the probability, at
    each place another part of it. Drawn until six decimals of the loss, or four of the logits below
    the best one, are too few.
    """
    while True:
        arrays = best_between_floats(rng, B, n, V)
        said, words = arrays["logits"][:, :-1], arrays["tokens"][:, 1:, None]
        shifted = said - said.max(axis=-1, keepdims=True)
        right = mean_loss(shifted, words)
        if min(abs(right - x) for x in (right.round(6), mean_loss(shifted.round(4), words))) > 3e-7:
            return arrays


def mean_loss(logits, words):
    each = np.log(np.exp(logits).sum(axis=-1)) - np.take_along_axis(logits, words, 2)[..., 0]
    return each.mean()


def best_between_floats(rng, B, n, V):
    arrays = draw(rng, B, n, V)
    words = arrays["tokens"][:, 1:, None]
    logits = (650 + rng.uniform(-0.5, 0.5, (B, n, V))).astype(np.float32) - np.float64(2.8e-5)
    others = np.exp(logits[:, :-1] - 650)
    np.put_along_axis(others, words, 0, 2)
    times = np.array([3, 30, 10])[: n - 1, None]
    best = np.log(times * others.sum(axis=-1, keepdims=True)) + 650
    np.put_along_axis(logits[:, :-1], words, best.astype(np.float32) + 2.8e-5, 2)
    return {**arrays, "logits": logits}


def cases(rng):
    yield Case(
        "two texts",
        inputs=rounded(draw(rng, 2, 3, 4)),
        sample=True,
        note="Each text has three tokens and two pairs.",
    )
    yield Case(
        "the second text is shorter",
        inputs=padded(rounded(draw(rng, 2, 4, 3)), right=[0, 2]),
        sample=True,
        rule=TARGET,
        note="Three pairs of the first text count, and one of the second.",
    )
    yield Case("texts of seven", inputs=draw(rng, 3, 7, 5), note="More tokens than words.")
    some = draw(rng, 8, 4, 6)
    some["logits"][::2, :, 1] = 0
    yield Case(
        "more texts than tokens",
        inputs=some,
        layout={"logits": "transposed", "tokens": "transposed"},
        note="All pairs count. Some logits are 0.",
    )
    yield Case(
        "a text of 1009 tokens",
        inputs=draw(rng, 2, 1009, 7),
        note="A prime number of tokens, and a mean of many losses.",
    )
    yield Case("1009 words", inputs=draw(rng, 3, 5, 1009), note="A large vocabulary.")
    yield Case(
        "the same word again and again",
        inputs={**draw(rng, 3, 6, 4), "tokens": np.tile(rng.permutation(3)[:, None] + 1, 6)},
        note="Each text repeats one word, so its targets are alike. The logits differ.",
    )
    yield Case(
        "certain and right",
        inputs=some_certain(rng, 3, 5, 8),
        note="At every second place no other word has a chance, and the loss is 0 there.",
    )
    even = draw(rng, 4, 5, 6)
    even["logits"][:] = even["logits"][..., :1]
    yield Case("nothing is known", inputs=even, note="All words are equally likely.")
    yield Case(
        "texts of different lengths",
        inputs=padded(draw(rng, 4, 8, 5), right=rng.permutation([0, 2, 3, 6])),
        rule=TARGET,
        note="Padding follows the last word of a text.",
    )
    yield Case(
        "all texts end early",
        inputs=padded(draw(rng, 3, 9, 6), right=int(rng.integers(2, 5))),
        rule=TARGET,
        note="Each text ends with the same number of padding tokens.",
    )
    yield Case(
        "filled up on the left",
        inputs=padded(draw(rng, 4, 8, 6), left=int(rng.integers(2, 5))),
        rule=SOURCE,
        note="Padding stands before the first word, and nobody could guess that word from it.",
    )
    yield Case(
        "one token on the left",
        inputs=with_hole(rng, padded(draw(rng, 3, 6, 7), left=1)),
        rule=SOURCE,
        note="Each text begins with a single padding token, and has another between its words.",
    )
    yield Case(
        "NaN at padding",
        inputs=with_nan(padded(draw(rng, 4, 7, 5), left=3)),
        rule=SOURCE,
        note="At its padding, the model had nothing to look at. Infinity stands beside NaN.",
    )
    alone = rng.permutation(6)[:2]  # the place of the only word of each text
    yield Case(
        "one word among NaN",
        inputs=with_nan(padded(draw(rng, 2, 6, 4), left=alone, right=5 - alone)),
        rule=SOURCE,
        note="Each text holds one word, so no pair counts. Elsewhere the model has said no number.",
    )
    yield Case(
        "-1 before the first word",
        inputs=padded(draw(rng, 5, 7, 6), left=int(rng.integers(1, 4)), pad_id=-1),
        options={"pad_id": -1},
        rule=SOURCE,
        note="Each text begins with the same number of tokens that are no words.",
    )
    yield Case(
        "the last word is padding",
        inputs=one_text_empty(rng, 4, 6, 5, 4),
        options={"pad_id": 4},
        rule=ANY_ID,
        note="One text is padding alone; the others hold word 0.",
    )
    yield Case(
        "padding that is no word",
        inputs=one_text_empty(rng, 3, 8, 7, -1),
        options={"pad_id": -1},
        rule=ANY_ID,
        note="An index that the arrays accept. One text is padding alone; the others hold word 0.",
    )
    beyond = one_text_empty(rng, 4, 7, 6, 2**32 + 1)
    beyond["tokens"][beyond["tokens"][:, 3] != 2**32 + 1, 3] = 1  # all that 32 bits leave of it
    beyond["tokens"][:, -1] = 2**32 + 1
    yield Case(
        "padding beyond the vocabulary",
        inputs=beyond,
        options={"pad_id": 2**32 + 1},
        rule=ANY_ID,
        note="An index that takes more than 32 bits. One text is padding alone, and all end with it.",
    )
    yield Case(
        "-1 after the last word",
        inputs=padded(draw(rng, 4, 9, 6), right=int(rng.integers(2, 5)), pad_id=-1),
        options={"pad_id": -1},
        rule=ANY_ID,
        note="Each text ends with the same number of tokens that are no words.",
    )
    yield Case(
        "texts of one token",
        inputs=draw(rng, 3, 1, 5),
        rule=NOTHING,
        note="There is no next word.",
    )
    yield Case(
        "nothing but padding",
        inputs=padded(draw(rng, 3, 5, 4), right=5),
        rule=NOTHING,
        note="There is no word at all.",
    )
    yield Case(
        "certain and wrong",
        inputs=certain_and_wrong(rng, 3, 4, 7),
        rule=LARGE,
        note="Each next word lies so far below the best that its probability rounds to 0.",
    )
    yield Case(
        "certain and wrong, far from zero",
        inputs=far_from_zero(rng, 9),
        rule=LARGE,
        note="Places near 9 000, near -7 000 and near 0, and one from end to end; each next word "
        "is far below the best.",
    )
    high = draw(rng, 2, 3, 7)
    high["logits"] += np.float32(110)
    yield Case(
        "all logits near a hundred",
        inputs=high,
        rule=LARGE,
        note="All places are of one size, which exp cannot take in float32.",
    )
    far = draw(rng, 3, 7, 8)
    far["logits"] -= np.float32(1500)
    yield Case(
        "every logit far below zero",
        inputs=far,
        rule=LARGE,
        note="The largest logit of each row is below -1000.",
    )
    faint = draw(rng, 2, 7, 9)
    faint["logits"] = (2 * rng.standard_normal((2, 7, 9)) - 40).astype(np.float32)
    yield Case(
        "every logit near -40",
        inputs=faint,
        rule=LARGE,
        note="All logits lie near -40, and their differences are ordinary.",
    )
    yield Case("one text", inputs=draw(rng, 1, 6, 5), rule=ONE, note="A batch of one.")
    yield Case(
        "two tokens each", inputs=draw(rng, 4, 2, 6), rule=ONE, note="One pair for each text."
    )
    yield Case(
        "a vocabulary of one word",
        inputs={
            # the logarithm undoes their exponential to the last digit
            "logits": rng.choice([-1, 0], (3, 5, 1)).astype(np.float32),
            "tokens": np.zeros((3, 5), dtype=np.int64),
        },
        options={"pad_id": -1},
        rule=ONE,
        note="There is only one word, and nobody is surprised.",
    )
    yield Case(
        "one pair alone",
        inputs=draw(rng, 1, 2, 5),
        rule=ONE,
        note="A mean of one number.",
    )
    yield Case(
        "float64, between two numbers of float32",
        inputs=between_floats(rng, 2, 4, 5),
        rule=PRECISION,
        note="Double precision: logits near 650, of which float32 keeps four decimals.",
    )
    yield in_float64(
        Case(
            "float64, and nothing but padding",
            inputs=padded(draw(rng, 2, 5, 6), right=5),
            rule=PRECISION,
            note="Double precision: a loss of nothing has a dtype, too.",
        )
    )
    empty = padded(draw(rng, 3, 6, 8), right=rng.permutation([0, 0, 6]))
    yield in_float64(
        Case(
            "the inputs afterwards",
            inputs=empty,
            wants=("after.logits", "after.tokens"),
            rule=ALONE,
            note="The caller still needs its arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "views with gaps",
        inputs=draw(rng, 3, 6, 5),
        layout=dict.fromkeys(("logits", "tokens"), "strided"),
        rule=VIEWS,
        note="The arrays have gaps between their elements.",
    )
    yield Case(
        "read-only arrays",
        inputs=draw(rng, 2, 5, 6),
        layout=dict.fromkeys(("logits", "tokens"), "readonly"),
        rule=VIEWS,
        note="In NumPy the inputs refuse to be written to.",
    )
    empty = rng.permutation(3)  # which text is padding alone
    yield Case(
        "a second call",
        inputs=padded(draw(rng, 3, 8, 5), right=np.where(empty == 0, 8, 0)),
        before=padded(draw(rng, 3, 8, 5), right=np.where(empty == 1, 8, 0)),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers. In each, another text is padding alone.",
    )
    yield Case(
        "gradients",
        inputs=draw(rng, 4, 6, 3),
        wants=("grad.logits",),
        rule=GRADIENTS,
        note="In PyTorch the logits learn from the loss, all but those of the last place.",
    )
    yield Case(
        "gradients of nothing",
        inputs=padded(draw(rng, 2, 6, 4), right=6),
        wants=("grad.logits",),
        rule=GRADIENTS,
        note="In PyTorch a loss of nothing has a gradient of zeros.",
    )
    yield Case(
        "gradients of texts of one token",
        inputs=draw(rng, 3, 1, 5),
        wants=("grad.logits",),
        rule=GRADIENTS,
        note="In PyTorch: there is no next word, and the gradient is zeros.",
    )


def domain(rng):
    """Any sizes, both dtypes, logits from -10 000 to 10 000, padding anywhere and of any id."""
    for number in range(60):
        B, n, V = map(int, rng.choice([1, 2, 3, 5, 8], 3))
        logits = rng.choice([0.1, 2, 30, 2000]) * rng.standard_normal((B, n, V))
        logits = np.clip(logits + rng.choice([0, 0, 600, -600, 9000, -9000]), -10_000, 10_000)
        tokens = rng.integers(0, V, (B, n))
        pad_id = int(rng.choice([0, -1, V - 1, 50]))
        hidden = rng.random((B, n)) < rng.choice([0, 0.3, 1])
        tokens[hidden] = pad_id
        if rng.random() < 0.3:
            logits[hidden] = rng.choice([np.nan, np.inf, -np.inf], V)
        yield Case(
            str(number),
            inputs={
                "logits": logits.astype(rng.choice([np.float32, np.float64])),
                "tokens": tokens,
            },
            options={"pad_id": pad_id} if pad_id else {},
        )
