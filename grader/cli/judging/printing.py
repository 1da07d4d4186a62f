"""Prints a verdict in the form that was asked for."""

from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from grader import problem as bank_module
from grader.cli.judging import formats
from grader.cli.judging.request import Request
from grader.cli.language import _
from grader.cli.render import report
from grader.cli.terminal import console
from grader.findings.codes import Code
from grader.model import Outcome, Verdict
from grader.sandbox import SandboxPool
from grader.sandbox.rooms import Rooms
from grader.verdict.translate import translator

# what a trace can explain
REFUSED = (Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR)
# where the call ended, or that nothing to be judged came of it
TOLD = {
    Code.RAISED,
    Code.RAISED_IN_DRIVER,
    Code.NOT_IMPLEMENTED,
    Code.RETURNED_NONE,
    Code.WRONG_TYPE,
    Code.WRONG_FRAMEWORK,
}


def show(
    verdict: Verdict,
    form: str,
    file: str | None,
    request: Request,
    root: Path,
    rooms: Rooms | None = None,
) -> None:
    """Prints a verdict; `file` names it where there are several."""
    if form == "json":
        click.echo(formats.as_json(verdict, file))
    elif form == "junit":
        click.echo(formats.junit([(file or verdict.problem, verdict)]))
    elif form == "gradescope":
        click.echo(formats.gradescope(verdict))
    else:
        out = console()
        if file:
            out.print(f"\n[bold]{escape(file)}[/bold]")
        report_text(verdict, out, request, root, rooms)


def report_text(
    verdict: Verdict, out: Console, request: Request, root: Path, rooms: Rooms | None = None
) -> None:
    """The report in the language asked for; the words of a problem in another one lie in its
    folder, if it is of this bank.
    """
    silent = verdict.verdict in REFUSED and not verdict.diagnoses
    wanted = request.language != "en" or request.hint_steps or silent
    here = wanted and verdict.problem in bank_module.slugs(root)
    problem = bank_module.load(root, verdict.problem) if here else None
    words = translator(problem, request.language)
    sandbox = SandboxPool(rooms) if rooms else None
    place = problem and report.Place(
        problem, request.file, verdict.framework, request.rules, words, sandbox
    )
    steps = report.hints(verdict, place, request.hint_steps) if place else {}
    report.text(verdict, out, words, request.verbose, steps)
    if verdict.verdict is Outcome.ACCEPTED and out.is_terminal:
        after = _("the reference, why it works, other right programs: %(command)s")
        out.print(Text(after % {"command": f"grade solution {verdict.problem}"}, "dim"))
    if silent and place:
        _first_wrong(verdict, place, out)


def _first_wrong(verdict: Verdict, place: report.Place, out: Console) -> None:
    """Where no mistake is named, the first wrong step of a trace; nothing where the findings have
    said where the call ended, or that no array was returned.
    """
    codes = {finding.code for case in verdict.cases for finding in case.findings}
    if place.traced and place.wrong and (place.wrong.is_step or not codes & TOLD):
        from grader.cli.render.trace import wrong_title

        out.print(wrong_title(place.wrong).append(place.traced[1], "default"))
