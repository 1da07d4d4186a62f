"""The known mistakes that change a single line of a reference."""

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model import Framework, Outcome
from grader.practice.lines import Line, Lines, lines_of
from grader.problem import Mistake, Problem

VERDICTS = (Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR)


@dataclass(frozen=True, slots=True)
class Change:
    """A mistake, the place of the line that it changes, and that line."""

    mistake: Mistake
    at: int
    line: Line


def changes(problem: Problem, framework: Framework, right: Lines) -> tuple[Change, ...]:
    """Returns the mistakes that show in results and change one line, one for each wrong line.

    Mistakes about cost, random ones, and those that are nearly right teach nothing in one line.
    """
    by_line: dict[tuple[int, Line], Change] = {}
    for mistake in problem.mistakes:
        if framework not in mistake.sources or not tells(mistake):
            continue
        change = _change(mistake, right, lines_of(mistake.sources[framework]))
        if change is not None:
            by_line.setdefault((change.at, change.line), change)
    return tuple(by_line.values())


def tells(mistake: Mistake) -> bool:
    """Returns whether a mistake shows in results, whatever was drawn, and has a hint to tell."""
    plain = not mistake.random and not mistake.slight
    return plain and mistake.verdict in VERDICTS and bool(mistake.hint)


def _change(mistake: Mistake, right: Lines, wrong: Lines) -> Change | None:
    if len(right) != len(wrong):
        return None
    differ = [i for i, pair in enumerate(zip(right, wrong, strict=True)) if pair[0] != pair[1]]
    return Change(mistake, differ[0], wrong[differ[0]]) if len(differ) == 1 else None


def spread(edits: tuple[Change, ...]) -> Iterator[Change]:
    """Yields changes so that each line has its first before any has its second."""
    left = list(edits)
    while left:
        firsts = {change.at: change for change in reversed(left)}
        yield from (change for change in left if firsts[change.at] is change)
        left = [change for change in left if firsts[change.at] is not change]


def shuffler(problem: Problem, framework: Framework, name: str) -> random.Random:
    """Returns a generator that is the same whenever the problem is."""
    seed = hashlib.sha256(f"{problem.digest}:{framework}:{name}".encode()).digest()
    return random.Random(int.from_bytes(seed[:8], "little"))
