"""Hints in steps, and where a submission first goes wrong, for the report of a run."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.diagnosis.steps import hint_steps
from grader.errors import GradeError
from grader.model import Framework, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import SandboxPool
from grader.source import read
from grader.verdict.translate import Translator


@dataclass(frozen=True)
class Place:
    """Where a file first goes wrong. It is traced when somebody asks."""

    problem: Problem
    file: Path
    framework: Framework
    rules: bool
    words: Translator
    sandbox: SandboxPool | None

    @cached_property
    def source(self) -> str:
        """The text of the file."""
        return read(self.file)

    @cached_property
    def found(self) -> tuple[int, str] | None:
        """The line of the first wrong step, and what is said of it; None if no trace shows it."""
        from grader.explore.trace import trace, wrong_step_text

        if self.sandbox is None:  # judged by a server
            return None
        submission = Submission(self.framework, self.source)
        try:
            wrong = trace(self.problem, submission, self.sandbox, rules=self.rules).wrong
        except GradeError:  # the report stands without it
            return None
        return (wrong.line, wrong_step_text(wrong, self.words.catalogue)) if wrong else None


def hints(verdict: Verdict, place: Place, count: int) -> dict[str, str]:
    """By mistake: the first `count` steps of its hint, one below the other."""
    found = {}
    for diagnosis in verdict.diagnoses if count else ():
        given = (place.problem, verdict.framework, place.source, diagnosis, verdict.cases)
        steps = hint_steps(*given, place.words)
        if count > 1 and steps[1].line is None:
            steps = hint_steps(*given, place.words, traced=place.found)
        found[diagnosis.mistake] = "\n".join(
            f"{number}. {step.text}" + (f"\n   {step.code}" if step.code else "")
            for number, step in enumerate(steps[:count], 1)
        )
    return found
