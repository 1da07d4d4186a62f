"""Asks items one after another, or one by name; prints text or JSON."""

import json
import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from grader import source
from grader.cli.language import _, chosen
from grader.cli.practice import showing
from grader.cli.terminal import ACCEPTED, NOT_ACCEPTED, console, error_told
from grader.errors import SubmissionError, UsageError
from grader.findings.catalogue import catalogue
from grader.findings.text import T_
from grader.model import Framework
from grader.practice import AnswerError, Beat, Fill, Item, Step, answer, find, items, read
from grader.practice.reading import BETWEEN
from grader.practice.shown import public, result
from grader.problem import Problem
from grader.sandbox import SandboxPool, open_sandbox
from grader.verdict.translate import translator


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks of the command."""

    step: Step | None
    name: str | None
    texts: tuple[str, ...]
    inputs: tuple[Path, ...]
    listed: bool
    as_json: bool


def run(problem: Problem, framework: Framework, wish: Wish, isolation: str) -> int:
    """Carries out the command. Returns the exit status. Raises `GradeError`."""
    if (wish.texts or wish.inputs) and wish.name is None:
        raise UsageError(T_("an answer needs the item that it is for: --item ID"))
    with open_sandbox(isolation) as sandbox:
        sandbox.warm(framework)
        session = Session(problem, sandbox, wish.as_json)
        if wish.name is not None:
            return session.one(find(problem, framework, wish.name, sandbox), _texts(wish))
        selected = [
            item for item in items(problem, framework, sandbox) if wish.step in (None, item.step)
        ]
        if wish.listed or wish.as_json or not selected:
            return session.listing(selected)
        return session.all(selected)


def _texts(wish: Wish) -> Sequence[str]:
    """The answer, from the command line or from files."""
    if not wish.inputs:
        return wish.texts
    if wish.texts:
        raise UsageError(T_("give --answer or --input, not both"))
    return [_joined(wish.inputs)]


def _joined(files: Sequence[Path]) -> str:
    """The inputs in some files as one answer."""
    return f"\n{BETWEEN}\n".join(source.read(file) for file in files)


class Session:
    """A learner at a terminal, or a program that reads JSON."""

    def __init__(self, problem: Problem, sandbox: SandboxPool, as_json: bool) -> None:
        self._problem, self._sandbox, self._as_json = problem, sandbox, as_json
        self._words = translator(problem, chosen())
        self._out = console()

    def listing(self, selected: Sequence[Item]) -> int:
        """Prints which items there are."""
        if self._as_json:
            return self._json([public(item) for item in selected])
        showing.listing(selected, self._out, self._words)
        return ACCEPTED

    def one(self, item: Item, texts: Sequence[str]) -> int:
        """Prints an item, and what an answer to it comes to if there is one."""
        if not texts and self._as_json:
            return self._json(public(item))
        if not texts:
            showing.item(item, self._out, self._words)
            texts = self._asked(item)
        return self._answered(item, texts) if texts else ACCEPTED

    def all(self, selected: Sequence[Item]) -> int:
        """Asks each item until its answer is right or empty. Returns whether all were right."""
        missed = 0
        for number, item in enumerate(selected, 1):
            self._out.rule(f"{item.id}  ({number}/{len(selected)})")
            showing.item(item, self._out, self._words)
            missed += not self._until_right(item)
        return NOT_ACCEPTED if missed else ACCEPTED

    def _until_right(self, item: Item) -> bool:
        while any(texts := self._asked(item)):
            try:
                if self._answered(item, texts) == ACCEPTED:
                    return True
            except AnswerError as error:
                click.echo(error.sentence(catalogue(chosen())))
        return False

    def _asked(self, item: Item) -> list[str]:
        if isinstance(item, Beat):
            return self._files()
        blanks = len(item.blanks) if isinstance(item, Fill) else 1
        texts = [self._line(number, blanks) for number in range(1, blanks + 1)]
        return texts if any(texts) else []

    def _files(self) -> list[str]:
        """The inputs in files whose names are typed, until all of them can be read."""
        while names := self._prompt(_("files with inputs")):
            try:
                return [_joined([Path(name) for name in shlex.split(names)])]
            except (SubmissionError, ValueError) as error:
                click.echo(error_told(error) if isinstance(error, SubmissionError) else str(error))
        return []

    def _line(self, number: int, count: int) -> str:
        return self._prompt(
            _("answer") if count == 1 else _("blank %(number)d") % {"number": number}
        )

    def _prompt(self, ask: str) -> str:
        try:
            text: str = click.prompt(ask, default="", show_default=False)
        except click.Abort:  # nothing more to read
            click.echo()
            return ""
        return text.strip()

    def _answered(self, item: Item, texts: Sequence[str]) -> int:
        given = read(item, texts)
        silent = nullcontext() if self._as_json else self._out.status(_("judging"))
        with silent:
            answered = answer(self._problem, item, given, self._sandbox)
        if self._as_json:
            self._json(result(item, answered))
        else:
            showing.answered(item, given, answered, self._out, self._words)
        return ACCEPTED if answered.right else NOT_ACCEPTED

    def _json(self, value: Any) -> int:
        click.echo(json.dumps(value, ensure_ascii=False))
        return ACCEPTED
