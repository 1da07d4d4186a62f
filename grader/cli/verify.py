"""`grade verify`: problems -> kill matrices, findings and an exit status."""

import os
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from rich.console import Console

from grader.cli.language import _, chosen
from grader.cli.render import matrix
from grader.errors import JudgeError
from grader.frameworks import TITLES
from grader.judge import judge
from grader.model import Outcome, Submission
from grader.mutation.record import FILE, read
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verdict.translate import translator
from grader.verify import Fitness, verify, verify_cases

Check = Callable[..., Fitness]


def verify_all(
    problems: list[Problem],
    sandbox: Sandbox,
    seed: int,
    target: Path | None,
    brief: bool,
    out: Console,
    one: Check = verify,
) -> int:
    """Verify the problems, one on each core at a time, print what was found, and write the page.
    `one` verifies one of them.

    Returns 0 when all are fit, else 1.
    """
    found: list[Fitness] = []
    started = time.monotonic()
    threads = ThreadPoolExecutor(len(os.sched_getaffinity(0)))
    try:
        with out.status("") as status:
            check = partial(one, sandbox=sandbox, seed=seed, progress=status.update)
            for fitness in threads.map(check, problems):
                found.append(fitness)
                _show(fitness, brief, out)
    finally:
        threads.shutdown(cancel_futures=True)
    if target is not None:
        target.write_text(matrix.page(found, read(target.with_name(FILE))), encoding="utf-8")
    fit = sum(f.fit for f in found)
    if not any(f.partial for f in found):
        words = _("%(fit)d of %(total)d problems are fit to use (%(seconds)d s)")
        seconds = round(time.monotonic() - started)
        out.print(words % {"fit": fit, "total": len(found), "seconds": seconds})
    return 0 if fit == len(found) else 1


def verify_one(
    problem: Problem,
    sandbox: Sandbox,
    seed: int,
    progress: Callable[[str], None],
    only: Collection[str],
    cases: Collection[str],
    known: Collection[str],
) -> Fitness:
    """Verify a problem, or some of its cases or mistakes.

    Raises `UsageError` for an unknown case.
    """
    if cases:
        return verify_cases(problem, cases, sandbox, seed, only)
    return verify(problem, sandbox, seed, progress, only, known)


def _show(fitness: Fitness, brief: bool, out: Console) -> None:
    if not brief or not fitness.fit:
        matrix.show(fitness, out)
        return
    problem, cases = fitness.problem, max(len(m.cases) for m in fitness.matrices)
    words = _("%(problem)s: %(cases)d cases, %(mistakes)d mistakes, all killed")
    values = {"problem": problem.slug, "cases": cases, "mistakes": len(problem.mistakes)}
    out.print(f"[green]✓[/green] {words % values}")
    for framework in problem.missing:
        words = _("  not installed here, and not verified: %(framework)s")
        out.print(words % {"framework": TITLES[framework]}, style="yellow")


def check_references(problems: list[Problem], sandbox: Sandbox, seed: int, out: Console) -> int:
    """Judge every reference as a learner's submission.

    Returns 0 when all are accepted, else 1; 3 when the judge failed.
    """
    wrong, count, started = 0, 0, time.monotonic()
    for problem in problems:
        for framework in problem.frameworks:
            try:
                verdict = judge(
                    problem,
                    Submission(framework, problem.references[framework]),
                    sandbox,
                    seed=seed,
                )
            except JudgeError as error:
                out.print(_("judge error: %(error)s") % {"error": error}, markup=False)
                return 3
            count += 1
            accepted = verdict.verdict is Outcome.ACCEPTED
            wrong += not accepted
            message = translator(problem, chosen()).of(verdict)
            out.print(
                f"{'✓' if accepted else '✕'} {problem.slug}, {framework}: {message}", markup=False
            )
    words = _("%(accepted)d of %(total)d references accepted (%(seconds).1f s)")
    seconds = time.monotonic() - started
    out.print(words % {"accepted": count - wrong, "total": count, "seconds": seconds})
    return 1 if wrong else 0
