"""Prints the solution of a problem: the reference, why it works, and other right programs."""

import sys
from pathlib import Path

import click
from rich.console import Console, RenderableType
from rich.text import Text

from grader.cli import progress
from grader.cli.language import _, chosen
from grader.cli.render.statement import program, prose
from grader.cli.terminal import ACCEPTED, NOT_ACCEPTED
from grader.errors import UsageError
from grader.findings.text import T_
from grader.frameworks import TITLES
from grader.lessons.why import read_why
from grader.model import Framework, Outcome
from grader.problem import Problem
from grader.verdict.translate import translator


def show(problem: Problem, framework: Framework, root: Path, sure: bool, out: Console) -> int:
    """Prints the solution. Without a file that was accepted here, it asks first, unless `sure`.

    Returns the exit status: 1 where the learner goes on alone.
    """
    if not (sure or progress.solved().get(problem.slug) == Outcome.ACCEPTED):
        words = _(
            "No file of yours has solved %(problem)s on this machine. Read the solution now"
            " (--yes: do not ask)?"
        )
        if not _confirmed(words % {"problem": problem.slug}):
            return NOT_ACCEPTED
    for part in _parts(problem, framework, read_why(root, problem.slug, chosen())):
        out.print(part, highlight=False)
    return ACCEPTED


def _confirmed(question: str) -> bool:
    """Asks. Raises `UsageError` where the input ends without an answer, as it does in a script."""
    try:
        return click.confirm(question)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        raise UsageError(T_("nobody answers; --yes prints the solution without asking")) from None


def _parts(problem: Problem, framework: Framework, why: str) -> list[RenderableType]:
    words = translator(problem, chosen())
    parts: list[RenderableType] = [
        *_headed(_("Reference"), framework),
        program(problem.references[framework]),
    ]
    if why:
        parts += [Text(), Text(_("Why it works"), "bold"), *prose(why)]
    for right in sorted(problem.right, key=lambda each: each.framework is not framework):
        parts += _headed(right.name.replace("_", " "), right.framework)
        parts.append(program(words.program(right)))
    for other, source in problem.references.items():
        if other is not framework:
            parts += [*_headed(_("Reference"), other), program(source)]
    return parts


def _headed(title: str, framework: Framework) -> list[RenderableType]:
    return [Text(), Text(f"{title} · {TITLES[framework]}", "bold"), Text()]
