"""The model of the capstone: its alphabet, its shapes and its trained weights.

A weight is stored in float16 and used in float32. `scripts/train_model.py` makes the file
(docs/design/capstone.md).
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).parent / "model.npz"
# a token is one of these characters
ALPHABET = "\n" + "".join(chr(code) for code in range(32, 127))
WIDTH, HEADS, HIDDEN = 128, 4, 512
CONTEXT = 128  # characters that the model sees
EPS = 1e-5  # of both norms: what nn.LayerNorm has
# what each layer is made of; only the rotary ones know where a character stands
LAYERS = ("rotary", "block", "rotary", "cached")


def shapes() -> dict[str, tuple[int, ...]]:
    """Returns the shape of each weight by its name, in the order of the model."""
    by_name: dict[str, tuple[int, ...]] = {"embedding": (len(ALPHABET), WIDTH)}
    for number, kind in enumerate(LAYERS):
        by_name |= {f"{number}.{name}": shape for name, shape in _layer(kind)}
    return {**by_name, "norm": (WIDTH,)}


def _layer(kind: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The weights of a layer. A matrix has (out, in), as nn.Linear stores it."""
    norms = ("norm_1.weight", "norm_1.bias") if kind == "block" else ("norm_1",)
    yield from ((name, (WIDTH,)) for name in norms)
    yield from ((f"W_{name}", (WIDTH, WIDTH)) for name in "qkvo")
    yield from ((name.replace("1", "2"), (WIDTH,)) for name in norms)
    yield "W_in", (HIDDEN, WIDTH)
    yield "W_out", (WIDTH, HIDDEN)


def config() -> dict[str, Any]:
    """Returns what the room has to know of the model, beside its weights."""
    return {"heads": HEADS, "context": CONTEXT, "eps": EPS, "layers": list(LAYERS)}


@cache
def weights() -> Mapping[str, np.ndarray]:
    """Returns the trained weights by name, in float16."""
    with np.load(FILE) as stored:
        return {name: stored[name] for name in shapes()}


def encode(text: str) -> list[int]:
    """Returns the tokens of a text. Raises ValueError with the first character that is unknown."""
    unknown = next((char for char in text if char not in ALPHABET), None)
    if unknown is not None:
        raise ValueError(unknown)
    return [ALPHABET.index(char) for char in text]


def decode(tokens: list[int]) -> str:
    """Returns the text of tokens."""
    return "".join(ALPHABET[token] for token in tokens)
