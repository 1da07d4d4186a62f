"""`grade run`: files -> verdicts -> a report and an exit status."""

import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from grader import problem as bank_module
from grader.cli import progress
from grader.cli.language import _
from grader.cli.render import report
from grader.cli.terminal import ACCEPTED, JUDGE_FAILED, NOT_ACCEPTED, USAGE, console
from grader.errors import GradeError, JudgeError, UsageError
from grader.judge import OnCase, judge
from grader.model import Framework, Outcome, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import SandboxPool, open_sandbox
from grader.source import read
from grader.verdict.translate import translator

# what a trace can explain
REFUSED = (Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR)
TORCH = re.compile(r"^\s*(?:import|from)\s+torch\b", re.MULTILINE)
POLL_S = 0.2
SHOW_PROGRESS_S = 0.5


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
        hint = bank_module.did_you_mean(stem, bank_module.slugs(root))
        words = _("%(file)s: not named after a problem%(hint)s; say which one: %(command)s")
        command = f"grade run PROBLEM {request.file}"
        raise UsageError(words % {"file": request.file, "hint": hint, "command": command})
    return bank_module.load(root, named[0])


def find_framework(request: Request, problem: Problem, source: str) -> Framework:
    """The framework named; else the only one there is; else what the file's name or imports say.

    It may not be installed here: a file for the server is judged there. Raises `UsageError`.
    """
    if request.framework:
        return problem.named(request.framework)
    if len(problem.declared) == 1:
        return problem.declared[0]
    for framework in problem.declared:
        if request.file.stem.endswith(f"_{framework}"):
            return framework
    return Framework.TORCH if TORCH.search(source) else Framework.NUMPY


def judge_one(
    request: Request, root: Path, sandbox: SandboxPool, on_case: OnCase | None = None
) -> Verdict:
    """Read, find, judge and remember. Raises `GradeError`."""
    source = read(request.file)
    problem = find_problem(request, root)
    framework = problem.framework(find_framework(request, problem, source))
    sandbox.warm(framework)
    verdict = judge(
        problem,
        Submission(framework, source),
        sandbox,
        seed=request.seed,
        rules=request.rules,
        on_case=on_case,
    )
    progress.remember(verdict)
    return verdict


def judge_files(requests: list[Request], root: Path, isolation: str, form: str, jobs: int) -> int:
    """Judge every file in one warm sandbox and print the report. Returns the worst exit status."""
    with _told(form), open_sandbox(isolation) as sandbox:
        if len(requests) > 1:
            return _judge_many(requests, root, sandbox, form, jobs)
        with _progress(form) as on_case:
            verdict = judge_one(requests[0], root, sandbox, on_case)
        _print(verdict, form, None, requests[0], root, sandbox)
        return status(verdict)


@contextmanager
def _told(form: str) -> Iterator[None]:
    """What cannot be judged is an object too, for a program that reads JSON."""
    try:
        yield
    except GradeError as error:
        if form == "json":
            click.echo(report.error_json(error))
        raise


def submit_file(request: Request, root: Path, form: str) -> int:
    """Send one file to the server, wait, and print the report. Returns the exit status."""
    from grader.cli import remote  # imports httpx, which `grade run` does not need

    with _told(form):
        login = remote.stored_login()
        source = read(request.file)
        problem = find_problem(request, root)
        framework = find_framework(request, problem, source)
        verdict = remote.submit(login, problem.slug, framework, source)
    progress.remember(verdict)
    _print(verdict, form, None, request, root)
    return status(verdict)


def _judge_many(
    requests: list[Request], root: Path, sandbox: SandboxPool, form: str, jobs: int
) -> int:
    worst, done = ACCEPTED, []
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(judge_one, request, root, sandbox) for request in requests]
        try:
            for request, future in zip(requests, futures, strict=True):
                try:
                    verdict = future.result()
                except GradeError as error:
                    name = "" if str(error).startswith(f"{request.file}: ") else f"{request.file}: "
                    click.echo(f"grade: {name}{error}", err=True)
                    if form == "json":
                        click.echo(report.error_json(error, str(request.file)))
                    worst = max(worst, JUDGE_FAILED if isinstance(error, JudgeError) else USAGE)
                    continue
                worst = max(worst, status(verdict))
                done.append((str(request.file), verdict))
                if form != "junit":
                    _print(verdict, form, str(request.file), request, root, sandbox)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            sandbox.close()  # the pool waits for what is running; without a room that ends at once
            raise
    if form == "junit":
        click.echo(report.junit(done))
    return worst


def _print(
    verdict: Verdict,
    form: str,
    file: str | None,
    request: Request,
    root: Path,
    sandbox: SandboxPool | None = None,
) -> None:
    if form == "json":
        click.echo(report.as_json(verdict, file))
    elif form == "junit":
        click.echo(report.junit([(file or verdict.problem, verdict)]))
    elif form == "gradescope":
        click.echo(report.gradescope(verdict))
    else:
        out = console()
        if file:
            out.print(f"\n[bold]{file}[/bold]")
        _report(verdict, out, request, root, sandbox)


def _report(
    verdict: Verdict, out: Console, request: Request, root: Path, sandbox: SandboxPool | None = None
) -> None:
    """The report in the language asked for; the words of a problem in another one lie in its
    folder.
    """
    silent = verdict.verdict in REFUSED and not verdict.diagnoses
    wanted = request.language != "en" or request.hint_steps or silent
    problem = bank_module.load(root, verdict.problem) if wanted else None
    words = translator(problem, request.language)
    place = problem and report.Place(
        problem, request.file, verdict.framework, request.rules, words, sandbox
    )
    steps = report.hints(verdict, place, request.hint_steps) if place else {}
    report.text(verdict, out, words, request.verbose, steps)
    if silent and place and place.found:
        out.print(Text.assemble((_("first wrong step: "), "bold red"), place.found[1]))


@contextmanager
def _progress(form: str) -> Iterator[OnCase | None]:
    """A progress bar on a terminal, once a run takes longer than half a second."""
    if form != "text" or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=console(stderr=True), transient=True, disable=False) as bar:
        task = bar.add_task(_("judging"), total=None, visible=False)
        started = time.monotonic()

        def on_case(_: object) -> None:
            bar.update(task, advance=1, visible=time.monotonic() - started > SHOW_PROGRESS_S)

        yield on_case


def status(verdict: Verdict) -> int:
    """The exit status that a verdict stands for."""
    if verdict.verdict is Outcome.JUDGE_ERROR:
        return JUDGE_FAILED
    return ACCEPTED if verdict.verdict is Outcome.ACCEPTED else NOT_ACCEPTED


def watch_file(request: Request, root: Path, isolation: str) -> int:
    """Judge at every save, the room kept warm. Returns when interrupted."""
    out, last, seen = console(), ACCEPTED, None
    with open_sandbox(isolation) as sandbox:
        try:
            while True:
                now = _stamp(request.file)
                if now != seen:
                    seen = now
                    out.rule(time.strftime("%H:%M:%S"))
                    try:
                        verdict = judge_one(request, root, sandbox)
                        # first: an interrupt may come while the report is printed
                        last = status(verdict)
                        _report(verdict, out, request, root, sandbox)
                    except GradeError as error:
                        out.print(f"grade: {error}", markup=False)
                        last = USAGE
                time.sleep(POLL_S)
        except KeyboardInterrupt:
            return last


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
