"""The commands with which a learner looks into a failure: `trace`, `shrink` and `try`."""

import json
from pathlib import Path

import click

from grader import output
from grader import problem as bank_module
from grader.cli.language import chosen, command, option
from grader.cli.options import (
    bank_option,
    framework_option,
    isolation_option,
    keep_option,
    lang_option,
    split,
)
from grader.cli.terminal import ACCEPTED, NOT_ACCEPTED, console, guarded
from grader.errors import UsageError
from grader.findings.text import T_

format_option = option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)


@command()
@click.argument("targets", metavar="[PROBLEM] FILE", nargs=-1, required=True)
@option("--case", help="A sample or a public twin; by default the first that fails.")
@option("--all", "every", is_flag=True, help="Show every step.")
@format_option
@framework_option
@isolation_option
@keep_option
@lang_option
@bank_option
@guarded
def trace(
    targets: tuple[str, ...],
    case: str | None,
    every: bool,
    form: str,
    framework: str | None,
    isolation: str,
    keep: bool | None,
    lang: str,
    bank: Path | None,
) -> int:
    """Show what each line of FILE computes in a public case, and the first wrong step."""
    from grader.cli.exploring import open_submission
    from grader.cli.render.trace import show
    from grader.explore.trace import trace as traced
    from grader.model import Outcome
    from grader.verdict.translate import translator

    opened = open_submission(_one_file(targets, bank), framework, bank)
    with opened.sandbox(isolation, keep) as sandbox:
        path = traced(opened.problem, opened.submission, sandbox, case)
    if form == "json":
        click.echo(json.dumps(path.to_json(), ensure_ascii=False))
    else:
        words = translator(opened.problem, chosen())
        show(path, opened.submission.source, console(), words, every)
    return ACCEPTED if path.verdict is Outcome.ACCEPTED else NOT_ACCEPTED


@command()
@click.argument("targets", metavar="[PROBLEM] FILE", nargs=-1, required=True)
@option("--case", help="Begin with this case instead of the smallest one that fails.")
@option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the input in this file, for `grade try`.",
)
@format_option
@framework_option
@isolation_option
@keep_option
@lang_option
@bank_option
@guarded
def shrink(
    targets: tuple[str, ...],
    case: str | None,
    save: Path | None,
    form: str,
    framework: str | None,
    isolation: str,
    keep: bool | None,
    lang: str,
    bank: Path | None,
) -> int:
    """Show the smallest public input on which FILE fails, what it returns there, and what is
    expected.
    """
    from grader.cli.exploring import open_submission
    from grader.cli.render.shrunk import text
    from grader.explore.arrays import as_python
    from grader.explore.shrink import shrink as smallest
    from grader.verdict.translate import translator

    opened = open_submission(_one_file(targets, bank), framework, bank)
    output.check(save)
    with opened.sandbox(isolation, keep) as sandbox:
        shrunk = smallest(opened.problem, opened.submission, sandbox, case)
    if save is not None:
        _write(save, as_python(shrunk.case) if shrunk.case is not None else None)
    if form == "json":
        click.echo(json.dumps(shrunk.to_json(), ensure_ascii=False))
    else:
        words = translator(opened.problem, chosen())
        text(shrunk, opened.problem, console(), words, opened.file)
    return NOT_ACCEPTED if shrunk.findings else ACCEPTED


@command("try")
@click.argument("targets", metavar="[PROBLEM] FILE", nargs=-1, required=True)
@option(
    "--input",
    "inputs",
    type=click.Path(path_type=Path),
    help="File with one assignment for each argument, such as q = np.ones((1, 2, 3)).",
)
@option("--example", is_flag=True, help="Print an input to begin with; FILE is not run.")
@option("--trace", "steps", is_flag=True, help="Show what each line computes from them, too.")
@format_option
@framework_option
@isolation_option
@keep_option
@lang_option
@bank_option
@guarded
def try_(
    targets: tuple[str, ...],
    inputs: Path | None,
    example: bool,
    steps: bool,
    form: str,
    framework: str | None,
    isolation: str,
    keep: bool | None,
    lang: str,
    bank: Path | None,
) -> int:
    """Run FILE on inputs of your own, beside what is expected of them."""
    from grader.cli.exploring import open_submission
    from grader.cli.render.trace import show
    from grader.cli.render.tried import text
    from grader.explore import own_input
    from grader.explore.trace import trace as traced
    from grader.model import Outcome
    from grader.source import NO_INPUTS, read
    from grader.verdict.translate import translator

    opened = open_submission(_one_file(targets, bank), framework, bank)
    with opened.sandbox(isolation, keep) as sandbox:
        if example:
            click.echo(
                own_input.example(opened.problem, opened.submission.framework, sandbox), nl=False
            )
            return ACCEPTED
        if inputs is None:
            raise UsageError(T_("name the file with your inputs: --input FILE (or see --example)"))
        given = read(inputs, missing=NO_INPUTS)
        tried = own_input.try_input(opened.problem, opened.submission, sandbox, given)
        path = traced(opened.problem, opened.submission, sandbox, tried.case) if steps else None
    if form == "json":
        extra = {"trace": path.to_json()} if path else {}
        click.echo(json.dumps({**tried.to_json(), **extra}, ensure_ascii=False))
    else:
        words = translator(opened.problem, chosen())
        text(tried, console(), words)
        if path:
            show(path, opened.submission.source, console(), words, every=True)
    return ACCEPTED if tried.verdict is Outcome.ACCEPTED else NOT_ACCEPTED


def _one_file(targets: tuple[str, ...], bank: Path | None) -> tuple[str | None, Path]:
    slug, files = split(targets, bank or bank_module.default_bank())
    if len(files) != 1:
        raise UsageError(T_("name one FILE"))
    return slug, files[0]


def _write(path: Path, text: str | None) -> None:
    if text is None:
        raise UsageError(T_("there is no input that a file could hold"))
    output.write(path, f"import numpy as np\n\n{text}".encode())
