import numpy as np

from grader.case import Case


def cases(rng):
    yield Case(
        "padding at the end",
        inputs={"tokens": sentences(rng, "1110", "1100")},
        sample=True,
        labels=("The", "cat", "sat", "<pad>"),
        note="Short sentences filled up at the end.",
    )
    yield Case(
        "padding on the left",
        inputs={"tokens": sentences(rng, "0111", "0011")},
        sample=True,
        labels=("<pad>", "The", "cat", "sat"),
        note="Padding on the left, as in generation: the first positions see nothing.",
    )
    yield Case(
        "padding in the middle",
        inputs={"tokens": sentences(rng, "110101", "101110", "111011")},
        note="Padding between words hides itself and nothing else.",
    )
    yield Case(
        "padding in the middle, other values",
        inputs={"tokens": sentences(rng, "011011", "110011", "111101")},
        note="The same shape as before with other tokens.",
    )
    yield Case(
        "padding at both ends",
        inputs={"tokens": sentences(rng, "0011100", "0111110", "0000100", "0110010")},
        note="Words in the middle, padding around them.",
    )
    yield Case(
        "nothing but words",
        inputs={"tokens": sentences(rng, "11111", "11111")},
        note="Without padding only causality is left.",
    )
    yield Case(
        "nothing but padding",
        inputs={"tokens": sentences(rng, "00000", "11011", "00001")},
        note="A whole sequence that nobody can look at.",
    )
    yield Case(
        "zeros that are words",
        inputs={"tokens": np.array([[0, 4, 0, 7, 4], [4, 0, 9, 4, 0]])},
        options={"pad_id": 4},
        note="Padding with 4, among words numbered 0, 7 and 9.",
    )
    yield Case(
        "the last word of the vocabulary",
        inputs={"tokens": sentences(rng, "011011", "111100", pad_id=50256, below=50256)},
        options={"pad_id": 50256},
        note="The padding id may be larger than every word's.",
    )
    yield Case(
        "a negative id",
        inputs={"tokens": sentences(rng, "1101", "0110", "0011", pad_id=-100)},
        options={"pad_id": -100},
        note="Some libraries mark padding with -100.",
    )
    yield Case(
        "one token each",
        inputs={"tokens": sentences(rng, "1", "0", "1")},
        note="The shortest sequences there are.",
    )
    yield Case(
        "two tokens each",
        inputs={"tokens": sentences(rng, "11", "01", "10")},
        note="Small enough to check by hand.",
    )
    yield Case(
        "as many sequences as tokens",
        inputs={"tokens": sentences(rng, "0110", "1101", "1011", "0011")},
        same="Nothing but the meaning of the axes tells sequences from positions here.",
        note="A batch as large as its sequences are long.",
    )
    yield Case(
        "neighbours of a huge padding id",
        inputs={"tokens": 2**53 + np.array([[1, 0, -1, 0, 2], [0, 1, 1, -3, 0], [-2, 0, 3, 1, 1]])},
        options={"pad_id": 2**53},
        note="Ids that differ only in their last digit.",
    )
    yield Case(
        "int32",
        inputs={"tokens": sentences(rng, "01101", "10110").astype(np.int32)},
        note="Tokens of another integer type.",
    )
    yield Case(
        "one sequence",
        inputs={"tokens": sentences(rng, "011010")},
        note="A batch of one is still a batch.",
    )
    yield Case(
        "a long batch",
        inputs={"tokens": np.where(np.arange(150) % np.arange(3, 8)[:, None] == 0, 0, rng.integers(1, 1000, (5, 150)))},
        note="More tokens, with padding at regular places.",
    )
    yield Case(
        "tokens stay as they were",
        inputs={"tokens": sentences(rng, "011011", "001110", pad_id=3)},
        options={"pad_id": 3},
        wants=("mask", "after.tokens"),
        note="The caller still needs the tokens.",
    )
    yield Case(
        "every second column",
        inputs={"tokens": sentences(rng, "01111", "01100", "11010")},
        layout={"tokens": "strided"},
        note="A view into a larger array.",
    )
    yield Case(
        "read-only tokens",
        inputs={"tokens": sentences(rng, "1100", "0111", "0011", pad_id=2)},
        options={"pad_id": 2},
        layout={"tokens": "readonly"},
        note="An array that may not be written to.",
    )


def sentences(rng, *rows, pad_id=0, below=100):
    """Random words where a row has 1, `pad_id` where it has 0; no word is `pad_id`."""
    real = np.array([[mark == "1" for mark in row] for row in rows])
    words = rng.integers(1 if pad_id == 0 else 0, below, real.shape)
    words[words == pad_id] = 9
    return np.where(real, words, pad_id)
