"""A question of a lesson as pages show it."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.services.lessons.questions import Asked, Result


@dataclass(frozen=True, slots=True)
class Row:
    """A question as the page shows it, with the answer given and what it comes to."""

    shown: Asked
    answer: str
    result: Result | None
    problem: str  # why an answer is none

    @property
    def places(self) -> Mapping[int, str]:
        """The place given to each item of an order."""
        return dict(enumerate(self.answer.split(" ")))
