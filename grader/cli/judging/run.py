"""`grade run`: files -> verdicts -> a report and an exit status."""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import progress
from grader.cli.judging.request import (
    Request,
    find_framework,
    find_problem,
    framework_of,
    likely_framework,
)
from grader.cli.language import _
from grader.cli.terminal import (
    ACCEPTED,
    JUDGE_FAILED,
    NOT_ACCEPTED,
    USAGE,
    console,
    error_told,
    somebody_answers,
)
from grader.errors import GradeError, JudgeError, RoomError, UsageError
from grader.findings.text import T_
from grader.model import Outcome, Submission, Verdict
from grader.problem import slugs
from grader.sandbox.rooms import Rooms
from grader.source import read

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from grader.judge import OnCase

POLL_S = 0.2
SHOW_PROGRESS_S = 0.5


def judge_one(
    request: Request, root: Path, rooms: Rooms, on_case: "OnCase | None" = None
) -> Verdict:
    """Read, find, judge and remember.

    Raises `GradeError`. A defect of the judge at one file is told like any other failure, and the
    other files are judged.
    """
    try:
        return _judge_one(request, root, rooms, on_case)
    except GradeError:
        raise
    except Exception as error:
        from grader.sandbox.intake.decode import clean  # imports NumPy, which a room starts before

        words = T_(
            "the judge itself failed at %(file)s (%(type)s: %(error)s); please report it with this"
            " file",
            file=str(request.file),
            type=type(error).__name__,
            error=clean(str(error))[:300],
        )
        raise JudgeError(words) from error


def _judge_one(request: Request, root: Path, rooms: Rooms, on_case: "OnCase | None") -> Verdict:
    source = read(request.file)
    # a room takes longest, so it starts first; reading the problem may show that it is not needed
    with suppress(RoomError):
        rooms.warm(likely_framework(request, source))
    problem = find_problem(request, root)
    framework = problem.framework(find_framework(request, problem, source))
    rooms.warm(framework)
    # importing these (and NumPy) takes as long as a room needs to start: it does so meanwhile
    from grader.cli.judging import printing  # noqa: F401
    from grader.judge import judge
    from grader.sandbox import SandboxPool

    verdict = judge(
        problem,
        Submission(framework, source),
        SandboxPool(rooms),
        seed=request.seed,
        rules=request.rules,
        on_case=on_case,
    )
    progress.remember(verdict)
    return verdict


def judge_files(requests: list[Request], root: Path, rooms: Rooms, form: str, jobs: int) -> int:
    """Judge every file in the same rooms and print the report. Returns the worst exit status."""
    with closing(rooms):
        if len(requests) > 1:
            return _judge_many(requests, root, rooms, form, jobs)
        with _progress(form) as on_case:
            verdict = judge_one(requests[0], root, rooms, on_case)
        from grader.cli.judging.printing import show

        show(verdict, form, None, requests[0], root, rooms)
        return status(verdict)


@contextmanager
def told(form: str) -> Iterator[None]:
    """What cannot be judged is a document too, for a program that reads one."""
    try:
        yield
    except GradeError as error:
        if form != "text":
            from grader.cli.judging.formats import refusal

            click.echo(refusal(error, form))
        raise


def submit_file(request: Request, root: Path, form: str, use_last: bool) -> int:
    """Send one file to the server, wait, and print the report. Returns the exit status.

    Before the last attempt that counts is used it asks at a terminal, unless `use_last`.
    """
    from grader.cli import remote  # imports httpx, which `grade run` does not need
    from grader.cli.judging.printing import show

    login = remote.stored_login()
    source = read(request.file)
    if request.slug and request.slug not in slugs(root):  # an instructor's own, on the server
        slug = request.slug
        framework = framework_of(request, remote.frameworks(login, slug), source)
    else:
        problem = find_problem(request, root)
        slug, framework = problem.slug, find_framework(request, problem, source)
    try:
        verdict = remote.submit(login, slug, framework, source, use_last)
    except remote.LastAttempt as error:
        if not somebody_answers():
            raise
        question = _("This is your last attempt that counts for '%(title)s'. Use it now?")
        if not click.confirm(question % {"title": error.assignment}, err=True):
            raise UsageError(
                T_("nothing was submitted; you still have your last attempt")
            ) from None
        verdict = remote.submit(login, slug, framework, source, use_last=True)
    progress.remember(verdict)
    show(verdict, form, None, request, root)
    return status(verdict)


def _judge_many(requests: list[Request], root: Path, rooms: Rooms, form: str, jobs: int) -> int:
    from grader.cli.judging import formats
    from grader.cli.judging.printing import show

    worst = ACCEPTED
    done: list[tuple[str, Verdict | GradeError]] = []
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(judge_one, request, root, rooms) for request in requests]
        try:
            for request, future in zip(requests, futures, strict=True):
                try:
                    verdict = future.result()
                except GradeError as error:
                    name = "" if str(error).startswith(f"{request.file}: ") else f"{request.file}: "
                    click.echo(f"grade: {name}{error_told(error)}", err=True)
                    done.append((str(request.file), error))
                    if form in ("json", "gradescope"):
                        click.echo(formats.refusal(error, form, str(request.file)))
                    worst = max(worst, JUDGE_FAILED if isinstance(error, JudgeError) else USAGE)
                    continue
                worst = max(worst, status(verdict))
                done.append((str(request.file), verdict))
                if form != "junit":
                    show(verdict, form, str(request.file), request, root, rooms)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            rooms.close()  # the pool waits for what is running; without a room that ends at once
            raise
    if form == "junit":
        click.echo(formats.junit(done))
    return worst


@contextmanager
def _progress(form: str) -> "Iterator[OnCase | None]":
    """A progress bar on a terminal, once a run takes longer than half a second."""
    if form != "text" or not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as opened:
        started, count = time.monotonic(), 0
        bar: tuple[Progress, TaskID] | None = None

        def on_case(_: object) -> None:
            nonlocal bar, count
            count += 1
            if bar is None and time.monotonic() - started > SHOW_PROGRESS_S:
                bar = _bar(opened)
            if bar is not None:
                bar[0].update(bar[1], completed=count)

        yield on_case


def _bar(opened: ExitStack) -> "tuple[Progress, TaskID]":
    from rich.progress import Progress

    bar = opened.enter_context(Progress(console=console(stderr=True), transient=True))
    return bar, bar.add_task(_("judging"), total=None)


def status(verdict: Verdict) -> int:
    """The exit status that a verdict stands for."""
    if verdict.verdict is Outcome.JUDGE_ERROR:
        return JUDGE_FAILED
    return ACCEPTED if verdict.verdict is Outcome.ACCEPTED else NOT_ACCEPTED


def watch_file(request: Request, root: Path, rooms: Rooms) -> int:
    """Judge at every save, the room kept warm. Returns when interrupted."""
    from grader.cli.judging.printing import report_text

    out, last, seen = console(), ACCEPTED, None
    with closing(rooms):
        try:
            while True:
                now = _stamp(request.file)
                if now != seen:
                    seen = now
                    out.rule(time.strftime("%H:%M:%S"))
                    try:
                        verdict = judge_one(request, root, rooms)
                        # first: an interrupt may come while the report is printed
                        last = status(verdict)
                        report_text(verdict, out, request, root, rooms)
                    except GradeError as error:
                        out.print(f"grade: {error_told(error)}", markup=False)
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
