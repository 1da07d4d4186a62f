"""Verdict -> what a person reads in a terminal."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.text import Text

from grader.cli.render.summary import (
    SIGNS,
    case_name,
    duration,
    headline,
    hint_panel,
    hint_text,
    remark_lines,
    reproducing,
    seen_in,
    shown_sample,
    summary,
)
from grader.errors import GradeError
from grader.model import CaseResult, Framework, Outcome, Submission, Twin, Verdict
from grader.problem import Problem
from grader.sandbox import SandboxPool
from grader.source import read
from grader.verdict.translate import ENGLISH, Translator

if TYPE_CHECKING:
    from grader.explore.trace import WrongStep

NO_HINTS: Mapping[str, str] = MappingProxyType({})
UNLOADED = (Outcome.COMPILE_ERROR, Outcome.RULE_VIOLATION)


def case_lines(verdict: Verdict, translator: Translator = ENGLISH) -> list[Text]:
    """One line a case; a file that does not even load fails all of them in the same way, so that is
    said once.
    """
    first = verdict.cases[0] if verdict.cases else None
    if (
        first is not None
        and len(verdict.cases) > 1
        and first.verdict in UNLOADED
        and len({c.message for c in verdict.cases}) == 1
    ):
        every = translator.gettext("all cases")
        title = f"{every}, {translator.outcome(first.verdict)}: "
        return [
            Text(" ✕ ", "red").append(title, "bold").append(translator.message(first), "default")
        ]
    return [case_line(result, translator) for result in verdict.cases]


def case_line(result: CaseResult, translator: Translator = ENGLISH) -> Text:
    """One line for one case."""
    sign, colour = SIGNS[result.verdict is Outcome.ACCEPTED]
    line = Text(f" {sign} ", style=colour)
    name = case_name(result, translator)
    line.append(name, style="default" if result.verdict is Outcome.ACCEPTED else "bold")
    line.append(f"  {duration(result.wall_ms, translator)}", style="dim")
    if result.verdict is not Outcome.ACCEPTED:
        # a line that the submission chose must not look like one of this report
        message = translator.message(result).replace("\n", "\n     ")
        public = translator.gettext(" (with public inputs)") if result.twin is Twin.FAILS else ""
        line.append(f"\n     {translator.outcome(result.verdict)}{public}: {message}")
    return line


def text(
    verdict: Verdict,
    console: Console,
    translator: Translator = ENGLISH,
    verbose: bool = False,
    hints: Mapping[str, str] = NO_HINTS,
) -> None:
    """Prints the report: on one screen, or with a line for each case and everything in full.

    `hints` has what is said of a known mistake in the place of its hint.
    """
    parts = _everything if verbose else summary
    for part in parts(verdict, console, translator, hints):
        console.print(part, highlight=False)


def _everything(
    verdict: Verdict, console: Console, translator: Translator, hints: Mapping[str, str]
) -> Iterator[RenderableType]:
    """Cases, a failing sample or public twin, the diagnoses, remarks."""
    yield from case_lines(verdict, translator)
    yield from shown_sample(verdict, translator)
    yield from reproducing(verdict, translator)
    for diagnosis in verdict.diagnoses:
        hint = hint_text(diagnosis, translator, hints)
        seen = Text(seen_in(diagnosis, verdict, translator), style="dim")
        yield hint_panel([hint, seen], translator)
    for remark in remark_lines(verdict, translator):
        yield Text(remark, "dim")
    yield headline(verdict, translator)


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
    def wrong(self) -> "WrongStep | None":
        """The first wrong step; None if no trace shows it."""
        from grader.explore.trace import trace

        if self.sandbox is None:  # judged by a server
            return None
        try:
            submission = Submission(self.framework, self.source)
            return trace(self.problem, submission, self.sandbox, rules=self.rules).wrong
        except GradeError:  # the report stands without it
            return None

    @property
    def is_hint(self) -> bool:
        """May what a trace shows be told as the place of a mistake?"""
        return self.wrong is not None and self.wrong.is_hint

    @property
    def traced(self) -> tuple[int, str] | None:
        """The line of the first wrong step, and what is said of it."""
        from grader.explore.trace import wrong_step_text

        wrong = self.wrong
        return (wrong.line, wrong_step_text(wrong, self.words.catalogue)) if wrong else None


def hints(verdict: Verdict, place: Place, count: int) -> dict[str, str]:
    """By mistake: the first `count` steps of its hint, one below the other."""
    from grader.diagnosis.steps import hint_steps  # `--hint` alone needs it

    texts: dict[str, str] = {}
    for diagnosis in verdict.diagnoses if count else ():
        given = (place.problem, verdict.framework, place.source, diagnosis, verdict.cases)
        steps = hint_steps(*given, place.words)
        # one trace shows one place: that of the first mistake
        if count > 1 and steps[1].line is None and not texts and place.is_hint:
            steps = hint_steps(*given, place.words, traced=place.traced)
        texts[diagnosis.mistake] = "\n".join(
            f"{number}. {step.text}" + (f"\n   {step.code}" if step.code else "")
            for number, step in enumerate(steps[:count], 1)
        )
    return texts
