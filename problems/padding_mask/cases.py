import itertools

import numpy as np

from grader.case import Case

ANYWHERE = "Padding may stand anywhere"
PAD_ID = "The padding id may be any integer"
LARGE_IDS = "Large ids are told apart"
TYPES = "Tokens of any integer type"
ONE = "Any size may be one"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
REMEMBERS = "Remembers nothing between calls"


def cases(rng):
    yield Case(
        "three sentences",
        inputs={"tokens": sentences(rng, written("1111", "1100", "1110"))},
        sample=True,
        note="Sentences of different lengths, filled up at the end with 0.",
    )
    yield Case(
        "padding with 1",
        inputs={"tokens": sentences(rng, written("01101", "11110"), pad_id=1, below=5)},
        options={"pad_id": 1},
        sample=True,
        rule=PAD_ID,
        note="Here 1 is padding, and 0 is a word like any other.",
    )
    yield Case(
        "padding in the middle",
        inputs={"tokens": sentences(rng, marked(rng, 3, 7, inside))},
        rule=ANYWHERE,
        note="Padding between words hides itself and nothing else.",
    )
    tokens = sentences(rng, marked(rng, 3, 7, around_a_word))
    yield Case(
        "padding in the middle, another order",
        inputs={"tokens": tokens},
        before={"tokens": reordered(rng, tokens)},
        rule=REMEMBERS,
        note="The same shape as before, and in each sequence the same tokens at other places.",
    )
    yield Case(
        "padding on the left",
        inputs={"tokens": sentences(rng, left(rng, 4, 6))},
        rule=ANYWHERE,
        note="Generation often pads on the left.",
    )
    pad_id = int(rng.integers(2, 30))
    yield Case(
        "zeros that are words",
        inputs={"tokens": zeros_among_words(rng, pad_id)},
        options={"pad_id": pad_id},
        rule=PAD_ID,
        note="Another number is padding here, and 0 is a word like any other.",
    )
    yield Case(
        "the last word of the vocabulary",
        inputs={"tokens": sentences(rng, marked(rng, 3, 5, anywhere), pad_id=50256, below=50256)},
        options={"pad_id": 50256},
        rule=PAD_ID,
        note="The padding id may be larger than every word's.",
    )
    yield Case(
        "a negative id",
        inputs={"tokens": zeros_among_words(rng, -100)},
        options={"pad_id": -100},
        rule=PAD_ID,
        note="Some libraries mark padding with -100.",
    )
    yield Case(
        "the largest byte",
        inputs={"tokens": bytes_among_words(rng, marked(rng, 3, 6, inside))},
        options={"pad_id": 255},
        rule=PAD_ID,
        note="Text as bytes, with 255 as padding.",
    )
    yield Case(
        "ids far apart",
        inputs={"tokens": ids_far_apart(rng)},
        rule=LARGE_IDS,
        note="Large ids are ids too.",
    )
    huge = 2**53 + 4 * int(rng.integers(1, 1000))
    yield Case(
        "neighbours of a huge padding id",
        inputs={"tokens": huge + neighbours(rng)},
        options={"pad_id": huge},
        rule=LARGE_IDS,
        note="Ids that differ only in their last digit.",
    )
    least = int(np.iinfo(np.int64).min)
    around = np.array([least, least + 1, -7, 3, 5])
    yield Case(
        "the smallest id",
        inputs={"tokens": np.stack([rng.permutation(around) for _ in range(3)])},
        options={"pad_id": least},
        rule=LARGE_IDS,
        note="The smallest number of 64 bits, which has no opposite.",
    )
    yield Case(
        "int32",
        inputs={"tokens": sentences(rng, marked(rng, 3, 6, inside)).astype(np.int32)},
        rule=TYPES,
        note="Tokens of another integer type.",
    )
    yield Case(
        "uint8",
        inputs={"tokens": sentences(rng, marked(rng, 2, 5, inside)).astype(np.uint8)},
        rule=TYPES,
        note="Tokens of a type that has no sign.",
    )
    yield Case(
        "nothing but words",
        inputs={"tokens": sentences(rng, np.ones((2, 5), dtype=bool))},
        rule=ANYWHERE,
        note="A batch without any padding.",
    )
    yield Case(
        "nothing but padding",
        inputs={"tokens": sentences(rng, one_empty(rng, 5))},
        rule=ANYWHERE,
        note="One of the sequences is empty.",
    )
    yield Case(
        "a batch of nothing but padding",
        inputs={"tokens": sentences(rng, np.zeros((2, rng.integers(3, 8)), dtype=bool))},
        rule=ANYWHERE,
        note="No sequence has a single word.",
    )
    yield Case(
        "one token each",
        inputs={"tokens": sentences(rng, rng.permutation(written("1", "0", "1")))},
        rule=ONE,
        note="The shortest sequences there are.",
    )
    yield Case(
        "one sequence",
        inputs={"tokens": sentences(rng, marked(rng, 1, 6, inside))},
        rule=ONE,
        note="A batch of one is still a batch.",
    )
    yield Case(
        "one sequence of one token",
        inputs={"tokens": sentences(rng, written("1"))},
        same="The smallest batch there is.",
        rule=ONE,
        note="The smallest batch there is.",
    )
    yield Case(
        "a long batch",
        inputs={"tokens": sentences(rng, regular(rng, 7, 200), below=1000)},
        layout={"tokens": "transposed"},
        note="More tokens, with padding at regular places.",
    )
    yield Case(
        "tokens stay as they were",
        inputs={"tokens": sentences(rng, marked(rng, 2, 6, inside), pad_id=3)},
        options={"pad_id": 3},
        wants=("after.tokens",),
        rule=INPUTS,
        note="The caller still needs the tokens.",
    )
    yield Case(
        "every second column",
        inputs={"tokens": sentences(rng, marked(rng, 3, 5, anywhere))},
        layout={"tokens": "strided"},
        rule=VIEWS,
        note="A view into a larger array.",
    )
    yield Case(
        "read-only tokens",
        inputs={"tokens": sentences(rng, marked(rng, 3, 4, anywhere), pad_id=2)},
        options={"pad_id": 2},
        layout={"tokens": "readonly"},
        rule=VIEWS,
        note="An array that may not be written to.",
    )
    # the largest token is the last of a table, which -1 means as an index
    words = np.hstack([np.tile([0, 1], (3, 1)), rng.integers(2, 60, (3, 3))])
    yield Case(
        "a negative id that does not occur",
        inputs={"tokens": rng.permuted(words, axis=1)},
        options={"pad_id": -1},
        rule=PAD_ID,
        note="Padding would be -1, and every token is a word.",
    )


def written(*rows):
    """Marks as a sample shows them: 1 is a word, 0 is padding."""
    return np.array([[mark == "1" for mark in row] for row in rows])


def marked(rng, count, length, rule):
    """Marks of so many different sequences, each with a word and with padding in it, that follow
    the rule.
    """
    every = [
        row
        for row in itertools.product((True, False), repeat=length)
        if any(row) and not all(row) and rule(row)
    ]
    return np.array([every[i] for i in rng.choice(len(every), count, replace=False)])


def inside(row):
    return row[0] and row[-1]


def around_a_word(row):
    return inside(row) and any(row[1:-1])


def reordered(rng, tokens):
    """The tokens of each sequence in another order, all but the first and the last; every sequence has
    padding elsewhere.
    """
    while True:
        other = tokens.copy()
        other[:, 1:-1] = rng.permuted(other[:, 1:-1], axis=1)
        if ((other == 0) != (tokens == 0)).any(axis=1).all():
            return other


def left(rng, count, length):
    """Marks of so many sequences with padding before the words; one of them is full."""
    words = rng.choice(np.arange(1, length), count - 1, replace=False)
    return np.arange(length) >= length - rng.permutation([length, *words])[:, None]


def anywhere(row):
    return True


def one_empty(rng, length):
    """An empty sequence, one with a single word, and one with padding inside, in any order."""
    alone = np.arange(length) == rng.integers(length)
    return rng.permutation(np.stack([alone & False, alone, *marked(rng, 1, length, inside)]))


def sentences(rng, real, pad_id=0, below=100):
    """Random words where `real` is true, `pad_id` elsewhere; no word is `pad_id`."""
    words = rng.integers(1, below, real.shape)
    words[words == pad_id] = 9 if below > 9 else below - 1
    return np.where(real, words, pad_id)


def zeros_among_words(rng, pad_id):
    """Sequences that begin with 0 and end below `pad_id`, and have padding and larger numbers in between."""
    real = marked(rng, 2, 5, inside)
    words = pad_id + rng.integers(1, 30, real.shape)
    words[:, 0], words[:, -1] = 0, pad_id - rng.integers(1, 30, len(real))
    return np.where(real, words, pad_id)


def bytes_among_words(rng, real):
    """Bytes of any size where `real` is true, in every sequence one of 128 and more and one of less;
    255 elsewhere.
    """
    words = rng.integers(1, 255, real.shape)
    words[:, 0] = rng.integers(1, 128, len(real))
    words[:, -1] = rng.integers(128, 255, len(real))
    return np.where(real, words, 255).astype(np.uint8)


def neighbours(rng):
    """Offsets from a padding id: in each sequence 0 twice, 1, which float64 rounds to 0, and others
    nearby.
    """
    return rng.permuted(np.array([[0, 0, 1, -1, 2], [0, 0, 1, 1, -3], [0, 0, 1, -2, 3]]), axis=1)


def regular(rng, rows, length):
    """Long sequences with padding at every third place, at every fourth, and so on, each from a
    place of its own.
    """
    period = np.arange(3, 3 + rows)[:, None]
    return (np.arange(length) + rng.integers(0, period)) % period != 0


def ids_far_apart(rng):
    """Padding with 0 among ids that turn into 0, or into another number, in 8, 16, 31 or 32 bits, and
    the smallest id, which has no opposite.
    """
    rows = []
    for zeros in (1, 2):
        odd = 2 * rng.integers(0, 50, 4) + 1
        small = rng.integers(1, 100, 3 - zeros)
        rows.append([*[0] * zeros, *odd * [2**8, 2**16, 2**31, 2**32], *small, -(2**63)])
    return rng.permuted(np.array(rows), axis=1)


def domain(rng):
    """Any sizes, integer types and padding ids; padding anywhere, nowhere or everywhere."""
    for number in range(70):
        shape = rng.choice([1, 1, 2, 3, 6], 2)
        dtype = rng.choice([np.int64, np.int64, np.int32, np.uint8])
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        pad_id = int(rng.choice([0, 0, 1, 7, 200, low, high]))
        near = rng.choice([max(low, pad_id - 2), min(high, pad_id + 2), 0, 3, low, high], shape)
        tokens = np.where(rng.random(shape) < rng.choice([0, 0.4, 1]), pad_id, near).astype(dtype)
        options = {"pad_id": pad_id} if pad_id or rng.random() < 0.5 else {}
        yield Case(str(number), inputs={"tokens": tokens}, options=options)
