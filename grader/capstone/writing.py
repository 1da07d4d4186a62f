"""Writes with an assembled model: text in, pieces of text out, and where the model looks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

import numpy as np

from grader.capstone.parts import Part, assembly
from grader.capstone.trouble import PartError, PromptError, broken
from grader.capstone.weights import ALPHABET, CONTEXT, decode, encode
from grader.findings.text import T_
from grader.sandbox import Sandbox
from grader.sandbox.assembly import Assembled, Wish

LONGEST = CONTEXT // 2  # characters of a prompt
MOST = 500  # characters that are written
HOTTEST = 2.0
BEGIN = "\n"  # before a prompt: it begins a paragraph, as in the text that the model learned


@dataclass(frozen=True, slots=True)
class Prompt:
    """What somebody asks the model to continue, and how.

    A temperature of 0 always takes the best character.
    """

    text: str
    count: int = 200
    temperature: float = 0.0
    seed: int = 0


def check_prompt(prompt: Prompt) -> None:
    """Raises `PromptError` for what the model cannot continue."""
    if len(prompt.text) > LONGEST:
        raise PromptError(T_("the prompt is longer than %(most)d characters", most=LONGEST))
    unknown = next((char for char in prompt.text if char not in ALPHABET), None)
    if unknown is not None:
        wrong = T_(
            "the model does not know the character '%(char)s'; it learned English, letters, digits"
            " and signs of a keyboard",
            char=unknown,
        )
        raise PromptError(wrong)
    if not 1 <= prompt.count <= MOST:
        raise PromptError(T_("the model writes from 1 to %(most)d characters", most=MOST))
    if not 0 <= prompt.temperature <= HOTTEST:
        raise PromptError(T_("the temperature is a number from 0 to %(most)g", most=HOTTEST))


class Writer:
    """A model in its room, as `writer` opens it."""

    def __init__(self, model: Assembled) -> None:
        self._model = model

    def tokens(self, prompt: Prompt) -> Iterator[int]:
        """Yields one token after another. Raises `PromptError`."""
        check_prompt(prompt)
        tokens = tuple(encode(BEGIN + prompt.text))
        wish = Wish(tokens, prompt.temperature, seed=prompt.seed)
        yield from islice(self._model.write(wish), prompt.count)

    def write(self, prompt: Prompt) -> Iterator[str]:
        """Yields one character after another. Raises `PromptError`."""
        return (decode([token]) for token in self.tokens(prompt))

    def maps(self, text: str) -> list[np.ndarray]:
        """Returns the attention weights (heads, n, n) of each layer: row i, where character i
        looks. The first row and column stand for the beginning of the paragraph.

        Raises `PromptError`.
        """
        check_prompt(Prompt(text))
        return self._model.maps(encode(BEGIN + text))


@contextmanager
def writer(chosen: tuple[Part, ...], sandbox: Sandbox) -> Iterator[Writer]:
    """Puts the model together in a room of its own.

    Raises `PartError`, from inside the block too, and `RoomError` when no room can be built.
    """
    with broken(chosen), sandbox.assembled(assembly(chosen)) as model:
        yield Writer(model)


__all__ = ["PartError", "Prompt", "PromptError", "Writer", "check_prompt", "writer"]
