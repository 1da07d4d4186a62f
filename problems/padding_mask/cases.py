import numpy as np

from grader.case import Case


def cases(rng):
    yield Case(
        "three sentences",
        inputs={"tokens": sentences(rng, "1111", "1100", "1110")},
        sample=True,
        note="Sentences of different lengths, filled up at the end with 0.",
    )
    yield Case(
        "padding with 1",
        inputs={"tokens": sentences(rng, "01101", "11110", pad_id=1, below=5)},
        options={"pad_id": 1},
        sample=True,
        note="Here 1 is padding, and 0 is a word like any other.",
    )
    yield Case(
        "padding in the middle",
        inputs={"tokens": sentences(rng, "1101011", "1001110", "1110001")},
        note="Padding between words hides itself and nothing else.",
    )
    yield Case(
        "padding in the middle, other values",
        inputs={"tokens": sentences(rng, "1011110", "0111001", "1111111")},
        note="The same shape as before with other tokens.",
    )
    yield Case(
        "padding on the left",
        inputs={"tokens": sentences(rng, "000111", "011111", "000001", "111111")},
        note="Generation often pads on the left.",
    )
    yield Case(
        "zeros that are words",
        inputs={"tokens": np.array([[0, 4, 0, 7], [4, 0, 9, 4]])},
        options={"pad_id": 4},
        note="Padding with 4, among words numbered 0, 7 and 9.",
    )
    yield Case(
        "the last word of the vocabulary",
        inputs={"tokens": sentences(rng, "11011", "11100", "10111", pad_id=50256, below=50256)},
        options={"pad_id": 50256},
        note="The padding id may be larger than every word's.",
    )
    yield Case(
        "a negative id",
        inputs={"tokens": sentences(rng, "1101", "1010", "0111", pad_id=-100, below=40)},
        options={"pad_id": -100},
        note="Some libraries mark padding with -100.",
    )
    yield Case(
        "ids far apart",
        inputs={"tokens": np.array([[0, 256, 65536, 2**31, 2**32, 3], [2**16, 0, 2**8, 0, 2**32, 1]])},
        note="Large ids are ids too.",
    )
    yield Case(
        "neighbours of a huge padding id",
        inputs={"tokens": 2**53 + np.array([[1, 0, -1, 0, 2], [0, 1, 1, -3, 0], [-2, 0, 3, 1, 1]])},
        options={"pad_id": 2**53},
        note="Ids that differ only in their last digit.",
    )
    yield Case(
        "int32",
        inputs={"tokens": sentences(rng, "110100", "011111", "101110").astype(np.int32)},
        note="Tokens of another integer type.",
    )
    yield Case(
        "nothing but words",
        inputs={"tokens": sentences(rng, "11111", "11111")},
        note="A batch without any padding.",
    )
    yield Case(
        "nothing but padding",
        inputs={"tokens": sentences(rng, "11101", "00000", "10000")},
        note="One of the sequences is empty.",
    )
    yield Case(
        "one token each",
        inputs={"tokens": sentences(rng, "1", "0", "1")},
        note="The shortest sequences there are.",
    )
    yield Case(
        "one sequence",
        inputs={"tokens": sentences(rng, "011010")},
        note="A batch of one is still a batch.",
    )
    yield Case(
        "a long batch",
        inputs={"tokens": np.where(np.arange(200) % np.arange(3, 10)[:, None] == 2, 0, rng.integers(1, 1000, (7, 200)))},
        note="More tokens, with padding at regular places.",
    )
    yield Case(
        "tokens stay as they were",
        inputs={"tokens": sentences(rng, "110110", "011100", pad_id=3)},
        options={"pad_id": 3},
        wants=("mask", "after.tokens"),
        note="The caller still needs the tokens.",
    )
    yield Case(
        "every second column",
        inputs={"tokens": sentences(rng, "10111", "01100", "11010")},
        layout={"tokens": "strided"},
        note="A view into a larger array.",
    )
    yield Case(
        "read-only tokens",
        inputs={"tokens": sentences(rng, "1100", "0111", "1011", pad_id=2)},
        options={"pad_id": 2},
        layout={"tokens": "readonly"},
        note="An array that may not be written to.",
    )


def sentences(rng, *rows, pad_id=0, below=100):
    """Random words where a row has 1, `pad_id` where it has 0; no word is `pad_id`."""
    real = np.array([[mark == "1" for mark in row] for row in rows])
    words = rng.integers(1 if pad_id == 0 else 0, below, real.shape)
    words[words == pad_id] = 9 if below > 9 else below - 1
    return np.where(real, words, pad_id)
