"""The smallest input that shows a failure, on a terminal: `grade shrink`."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console, RenderableType
from rich.text import Text

from grader.cli.render.tensors import arguments, compared
from grader.explore.shrink import SENTENCES, Shrunk, State
from grader.findings.sentences import sentences
from grader.problem import Problem
from grader.verdict.translate import Translator


def text(
    shrunk: Shrunk, problem: Problem, out: Console, translator: Translator, file: Path
) -> None:
    """Prints what was found: the input, what is expected and what came, and what is wrong."""
    for part in _parts(shrunk, problem, translator, file):
        out.print(part, highlight=False)


def _parts(
    shrunk: Shrunk, problem: Problem, translator: Translator, file: Path
) -> Iterator[RenderableType]:
    case = shrunk.case
    name = "" if case is None else translator.case(case.name)
    yield Text(translator.gettext(SENTENCES[shrunk.state]) % {"case": name}, style="bold")
    if case is not None:
        if case.rule:
            rule = translator.gettext("rule: %(rule)s") % {
                "rule": _rule(problem, case.rule, translator)
            }
            yield Text(rule, style="dim")
        yield Text()
        yield arguments(case, translator)
        yield Text()
        yield from compared(shrunk.outputs, translator)
    if shrunk.findings:
        yield Text(f"✕ {sentences(shrunk.findings, translator.catalogue)}", style="red")
    if shrunk.state is State.SHRUNK:
        yield Text(_counts(shrunk, translator), style="dim")
        yield Text(_next(shrunk, translator, file), style="dim")


def _counts(shrunk: Shrunk, translator: Translator) -> str:
    words = translator.gettext("%(now)d of the %(before)d numbers are left, after %(calls)d tries")
    counts = {"now": shrunk.numbers, "before": shrunk.numbers_before, "calls": shrunk.calls}
    return words % counts


def _rule(problem: Problem, rule: str, translator: Translator) -> str:
    """The rule as the statement in the reader's language names it."""
    english = problem.statement_rules.get("en", ())
    names = problem.statement_rules.get(translator.language, ())
    known = rule in english and len(names) == len(english)
    return names[english.index(rule)] if known else rule


def _next(shrunk: Shrunk, translator: Translator, file: Path) -> str:
    """How to go on with these inputs."""
    if shrunk.case is not None and shrunk.case.before:
        return translator.gettext("The earlier call is a part of the input.")
    quoted = shlex.quote(str(file))
    commands = (
        f"grade shrink {shrunk.problem} {quoted} --save inputs.py",
        f"grade try {shrunk.problem} {quoted} --input inputs.py",
    )
    return "\n  ".join([translator.gettext("to go on with this input:"), *commands])
