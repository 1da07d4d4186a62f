"""Does an assembled model write what the reference writes? The same characters, one by one.

What the reference writes is computed in a room of its own, and compared outside of both.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from grader import cache, storage
from grader.capstone.parts import Part, parts
from grader.capstone.weights import FILE, decode
from grader.capstone.writing import Prompt, Writer, writer
from grader.engine import engine
from grader.problem import Problem
from grader.sandbox import Sandbox

# after each of these, the best character is always better than the next one by more than 0.05
PROMPTS = ("The softmax turns scores into ", "How many ", "The last query ", "Without a mask, ")
COUNT = 96  # characters that are compared, of each prompt


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of one prompt. `same` characters at the beginning are the reference's."""

    prompt: str
    text: str
    same: int

    @property
    def right(self) -> bool:
        """Is every character the reference's?"""
        return self.same == COUNT


def expected(problems: Mapping[str, Problem], sandbox: Sandbox) -> dict[str, str]:
    """Returns what the references write, by prompt: from disk, or out of the room.

    Raises `PartError` and `RoomError`.
    """
    path = storage.cache_folder() / "capstone" / f"{_key(parts(problems))}"
    stored = cache.read(path)
    if stored is not None:
        return dict(json.loads(stored[0]["texts"]))
    with writer(parts(problems), sandbox) as model:
        texts = {prompt: written(model, prompt) for prompt in PROMPTS}
    cache.write(path, {"texts": json.dumps(texts)}, {})
    return texts


def _key(chosen: tuple[Part, ...]) -> str:
    whole = hashlib.sha256(f"{engine()} {COUNT} {PROMPTS}".encode() + FILE.read_bytes())
    for part in chosen:
        whole.update(part.digest.encode())
    return whole.hexdigest()[:32]


def written(model: Writer, prompt: str) -> str:
    """Returns what a model writes when it always takes the best character."""
    return decode(list(model.tokens(Prompt(prompt, COUNT))))


def compare(model: Writer, due: Mapping[str, str]) -> tuple[Comparison, ...]:
    """Lets a model continue every prompt. Raises `PartError`."""
    continued = ((prompt, text, written(model, prompt)) for prompt, text in due.items())
    return tuple(Comparison(prompt, text, _same(text, right)) for prompt, right, text in continued)


def _same(text: str, right: str) -> int:
    pairs = enumerate(zip(text, right, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(text), len(right)))
