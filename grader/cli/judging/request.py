"""What `grade run` and its like are asked: a file, and the problem and framework that it is for."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from grader import problem as bank_module
from grader.errors import UsageError
from grader.findings.text import T_
from grader.model import Framework
from grader.problem import Problem

TORCH = re.compile(r"^\s*(?:import|from)\s+torch\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Request:
    """One file to judge."""

    file: Path
    slug: str | None
    framework: str | None
    seed: int
    rules: bool
    language: str = "en"
    verbose: bool = False
    hint_steps: int = 0  # of each hint; 0: the hint by itself


def find_problem(request: Request, root: Path) -> Problem:
    """The problem named, or the one that the file is named after. Raises `UsageError`."""
    if request.slug:
        return bank_module.load(root, request.slug)
    stem = request.file.stem
    named = [
        slug
        for slug in bank_module.slugs(root)
        if stem == slug or stem in (f"{slug}_numpy", f"{slug}_torch")
    ]
    if not named:
        words = T_(
            "%(file)s: not named after a problem%(hint)s; say which one: %(command)s",
            file=str(request.file),
            hint=bank_module.did_you_mean(stem, bank_module.slugs(root)),
            command=f"{_command()} PROBLEM {request.file}",
        )
        raise UsageError(words)
    return bank_module.load(root, named[0])


def _command() -> str:
    """The command that was used; the threads of `grade run` do not know it."""
    context = click.get_current_context(silent=True)
    return "grade run" if context is None else context.command_path


def find_framework(request: Request, problem: Problem, source: str) -> Framework:
    """The framework named; else the only one there is; else what the file's name or imports say.

    It may not be installed here: a file for the server is judged there. Raises `UsageError`.
    """
    if request.framework:
        return problem.named(request.framework)
    return framework_of(request, problem.declared, source)


def framework_of(request: Request, declared: Sequence[Framework], source: str) -> Framework:
    """The framework named; else the only one declared; else what the file's name or imports say."""
    if not request.framework and len(declared) == 1:
        return declared[0]
    return likely_framework(request, source, declared)


def likely_framework(
    request: Request, source: str, declared: Iterable[Framework] = Framework
) -> Framework:
    """What the command, the file's name or its imports say, whatever the problem declares."""
    if request.framework:
        return Framework(request.framework)
    for framework in declared:
        if request.file.stem.endswith(f"_{framework}"):
            return framework
    return Framework.TORCH if TORCH.search(source) else Framework.NUMPY
