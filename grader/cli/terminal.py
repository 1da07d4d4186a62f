"""What every command shares: the terminal, the exit status, and one line for each error."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from grader import storage
from grader.cli.language import _, chosen
from grader.errors import GradeError, JudgeError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.findings.text import Text

ACCEPTED, NOT_ACCEPTED, USAGE, JUDGE_FAILED = 0, 1, 2, 3
NOBODY_READS = 141  # as of any program whose output was closed: 128 + SIGPIPE


def guarded(command: Callable[..., int]) -> Callable[..., int]:
    """Turn this project's exceptions into one line on stderr and the exit status that belongs to
    them.
    """

    @wraps(command)
    def run(*args: Any, **options: Any) -> int:
        try:
            return command(*args, **options)
        except JudgeError as error:
            click.echo(_("grade: judge error: %(error)s") % {"error": error_told(error)}, err=True)
            return JUDGE_FAILED
        except GradeError as error:
            click.echo(f"grade: {error_told(error)}", err=True)
            return USAGE
        finally:
            if lost := storage.trouble():
                click.echo(f"grade: {_said(lost)}", err=True)

    return run


def error_told(error: GradeError) -> str:
    """Returns what an exception says, in the chosen language where it has a text."""
    from grader.findings.text import told  # imported when something fails

    return _said(told(error))


def _said(words: "Text | str") -> str:
    from grader.findings.catalogue import catalogue
    from grader.findings.text import said

    return said(words, catalogue(chosen()))


def somebody_answers() -> bool:
    """Whether somebody can be asked: the input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def console(stderr: bool = False) -> "Console":
    """A terminal of at most 100 columns; plain text when it is none."""
    from rich.console import Console

    out = Console(stderr=stderr, highlight=False, emoji=False)
    return Console(stderr=stderr, highlight=False, emoji=False, width=min(out.width, 100))
