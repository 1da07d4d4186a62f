"""One mutant: a reference with one piece of its text replaced."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

Position = tuple[int, int]  # line from 1, and the column in bytes, as `ast` counts


@dataclass(frozen=True, slots=True)
class Change:
    """What an operator does: the text between two positions becomes another.

    `extra` is appended to the source, such as an import that the new text needs.
    """

    operator: str
    start: Position
    end: Position
    text: str
    extra: str = ""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed reference, and what was changed in which line."""

    operator: str
    line: int
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"line {self.line}: `{self.before}` → `{self.after}`"


def applied(source: str, changes: Iterable[Change]) -> Iterator[Mutant]:
    """Yields one mutant for each change, whether it compiles or not."""
    text = source.encode()
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    for change in changes:
        start, end = (starts[line - 1] + column for line, column in (change.start, change.end))
        changed = b"".join((text[:start], change.text.encode(), text[end:])).decode()
        before = " ".join(text[start:end].decode().split())
        after = " ".join(change.text.split()) or "nothing"
        yield Mutant(change.operator, change.start[0], before, after, changed + change.extra)
