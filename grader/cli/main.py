"""The entry point of `grade`, and the group of its commands."""

import io
import os
import sys

import click

from grader.cli.commands import (
    assembling,
    authoring,
    exploring,
    installation,
    judging,
    practice,
    problems,
)
from grader.cli.language import Group, Language, Option, option, speak
from grader.cli.terminal import ACCEPTED, JUDGE_FAILED, NOBODY_READS, USAGE


def main() -> None:
    """The entry point of the `grade` command."""
    status = ACCEPTED
    try:
        _open_streams()
        status = grade(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as end:
        status = end.exit_code
    except click.ClickException as error:
        error.show()
        status = USAGE
    except (KeyboardInterrupt, click.Abort):
        status = 130
    # whoever read has gone away; click makes a SystemExit of that, and of nothing else here
    except (BrokenPipeError, SystemExit):
        _silence()
        status = NOBODY_READS
    except OSError as error:
        click.echo(f"grade: {error.filename or 'output'}: {error.strerror}", err=True)
        _silence()
        status = JUDGE_FAILED
    sys.exit(status)


def _open_streams() -> None:
    """A descriptor that the caller has closed (`>&-`) leads nowhere, so that no file takes its
    place; a terminal without ✓ gets a question mark, not a traceback.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _silence() -> None:
    """Let what is still to be written to a broken output go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


@click.group(
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@option(
    "--lang",
    type=Language(),
    callback=speak,
    is_eager=True,
    expose_value=False,
    help="Language of what grade says (or GRADE_LANG).",
)
@click.version_option(package_name="attention-judge", cls=Option)
def grade() -> None:
    """Learn attention by writing it: judge a file against a problem, in a sealed room."""


COMMANDS = (
    problems.list_problems,
    problems.show,
    problems.start,
    problems.twin,
    practice.practice,
    practice.solution,
    judging.run,
    exploring.shrink,
    exploring.try_,
    exploring.trace,
    assembling.assemble,
    authoring.verify,
    authoring.mutants,
    authoring.lessons,
    authoring.new,
    installation.doctor,
    installation.keep,
    installation.login,
    judging.submit,
    authoring.publish,
)
for each in COMMANDS:
    grade.add_command(each)
