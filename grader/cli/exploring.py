"""What the commands that look into a failure begin with: a file, its problem and its framework."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader import problem as bank_module
from grader.cli.judging.keeping import rooms_kept
from grader.cli.judging.request import Request, find_framework, find_problem
from grader.model import Submission
from grader.problem import Problem
from grader.sandbox import SandboxPool, open_sandbox
from grader.source import read


@dataclass(frozen=True, slots=True)
class Opened:
    """A file, read, and the problem that it is for."""

    file: Path
    problem: Problem
    submission: Submission

    @contextmanager
    def sandbox(self, isolation: str, keep: bool | None) -> Iterator[SandboxPool]:
        """Opens a sandbox whose room for the file's framework is being started."""
        with open_sandbox(isolation, keep=rooms_kept(keep)) as rooms:
            rooms.warm(self.submission.framework)
            yield rooms


def open_submission(
    target: tuple[str | None, Path], framework: str | None, bank: Path | None
) -> Opened:
    """Returns the file and what it is for, which can be run here. Raises `GradeError`."""
    slug, file = target
    request = Request(file, slug, framework, 0, True)
    source = read(file)
    problem = find_problem(request, bank or bank_module.default_bank())
    chosen = problem.framework(find_framework(request, problem, source))
    return Opened(file, problem, Submission(chosen, source))
