"""The answers of a problem: each case with its expected tensors."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.case import Case
from grader.comparison.compare import Expected
from grader.model import Framework
from grader.sandbox.job import Asked


@dataclass(frozen=True, slots=True)
class Answer:
    """One case and what a right solution brings back from it.

    `cpu_ms` is the reference's, in this framework, on this machine.
    """

    case: Case
    expected: Mapping[str, Expected]
    cpu_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Answers:
    """The cases of a problem in one framework, for one seed.

    `twins` holds, by case name, the same case drawn with the public seed. A sample is its own twin;
    a hidden case in which nothing is drawn has none.
    """

    framework: Framework
    seed: int
    cases: tuple[Answer, ...]
    twins: Mapping[str, Answer] = field(default_factory=dict)
    # see `grader.sandbox.job.asked`
    frames: dict[tuple[int, str], Asked] = field(default_factory=dict, compare=False, repr=False)
    twin_frames: dict[tuple[int, str], Asked] = field(
        default_factory=dict, compare=False, repr=False
    )

    def cpu_limits(self) -> dict[str, float]:
        """CPU milliseconds by case, where a case has such a limit."""
        return {
            a.case.name: a.case.cpu_factor * max(a.cpu_ms, 1.0)
            for a in self.cases
            if a.case.cpu_factor is not None
        }
