"""`grade verify`: problems and syllabi -> kill matrices, findings and an exit status."""

import multiprocessing
import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import repeat
from multiprocessing.util import Finalize
from pathlib import Path

from rich.console import Console

from grader import output, syllabi
from grader.cli.language import _, chosen
from grader.cli.render import matrix
from grader.cli.terminal import error_told
from grader.errors import JudgeError
from grader.findings.catalogue import catalogue
from grader.findings.text import Text, said
from grader.frameworks import TITLES
from grader.judge import judge
from grader.lessons import load_lessons
from grader.model import Outcome, Submission
from grader.mutation.record import FILE, Row, read
from grader.problem import Problem, load_bank
from grader.sandbox import Sandbox, open_sandbox
from grader.verdict.translate import translator
from grader.verify import Fitness, verify, verify_cases

Check = Callable[..., Fitness]
Say = Callable[[str], None]
Verifier = Callable[[list[Problem], int, Say], Iterator[Fitness]]


def verify_seeds(
    problems: list[Problem],
    verifier: Verifier,
    seeds: Sequence[int],
    target: Path | None,
    brief: bool,
    out: Console,
) -> int:
    """Verifies the problems with one seed after another; of several, says those that are not fit.

    Returns 0 when all are fit, else 1.
    """
    several = len(seeds) > 1
    unfit = [
        seed
        for seed in seeds
        if verify_all(problems, verifier, seed, target, brief, out, several) != 0
    ]
    if unfit and several:
        words = _("not fit with these of the seeds: %(seeds)s; one alone: --seed %(first)d")
        values = {"seeds": ", ".join(map(str, unfit)), "first": unfit[0]}
        out.print(words % values, markup=False, highlight=False)
    return 1 if unfit else 0


def verify_all(
    problems: list[Problem],
    verifier: Verifier,
    seed: int,
    target: Path | None,
    brief: bool,
    out: Console,
    several: bool = False,
) -> int:
    """Verify the problems, print what was found, and write the page. Where this is one of `several`
    seeds, brief lines name it.

    Returns 0 when all are fit, else 1.
    """
    verified: list[Fitness] = []
    started = time.monotonic()
    with out.status("") as status:
        for fitness in verifier(problems, seed, status.update):
            verified.append(fitness)
            _show(fitness, brief, out, seed if several else None)
    if target is not None:
        output.write(target, matrix.page(verified, read(target.with_name(FILE))).encode())
    fit = sum(f.fit for f in verified)
    if not any(f.partial for f in verified):
        words = _("%(fit)d of %(total)d problems are fit to use (%(seconds)d s)")
        seconds = round(time.monotonic() - started)
        out.print(words % {"fit": fit, "total": len(verified), "seconds": seconds})
    return 0 if fit == len(verified) else 1


@contextmanager
def verifying(isolation: str, count: int, one: Check = verify) -> Iterator[Verifier]:
    """Verifies a problem in this process, and several one on each core at a time. `one` verifies
    one of them.
    """
    if count > 1:
        with _on_every_core(isolation, one) as verifier:
            yield verifier
        return
    with open_sandbox(isolation) as sandbox:
        yield in_turn(sandbox, one)


def in_turn(sandbox: Sandbox, one: Check = verify) -> Verifier:
    """Verifies problems in this process, and says each step."""
    return lambda problems, seed, say: (one(p, sandbox, seed, say) for p in problems)


@contextmanager
def _on_every_core(isolation: str, one: Check) -> Iterator[Verifier]:
    """Processes, each with a sandbox of its own: half of the work is comparing, and threads of one
    process would do that in turns.
    """
    cores, context = len(os.sched_getaffinity(0)), multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(cores, context, _open, (isolation, one))

    def verified(problems: list[Problem], seed: int, say: Say) -> Iterator[Fitness]:
        for done, fitness in enumerate(pool.map(_verify, problems, repeat(seed)), 1):
            yield fitness
            say(_("%(done)d of %(total)d problems") % {"done": done, "total": len(problems)})

    try:
        yield verified
    finally:
        pool.shutdown(cancel_futures=True)


_opened: list[tuple[Sandbox, Check]] = []  # of a process of the pool


def _open(isolation: str, one: Check) -> None:
    sandbox = open_sandbox(isolation)
    _opened.append((sandbox, one))
    Finalize(sandbox, sandbox.close, exitpriority=1)


def _verify(problem: Problem, seed: int) -> Fitness:
    sandbox, one = _opened[0]
    return one(problem, sandbox, seed, str)


def verify_one(
    problem: Problem,
    sandbox: Sandbox,
    seed: int,
    progress: Say,
    only: Collection[str],
    cases: Collection[str],
    known: Collection[str],
    counted: Sequence[Row],
) -> Fitness:
    """Verify a problem, or some of its cases or mistakes.

    Raises `UsageError` for an unknown case.
    """
    if cases:
        return verify_cases(problem, cases, sandbox, seed, only)
    return verify(problem, sandbox, seed, progress, only, known, counted)


def _show(fitness: Fitness, brief: bool, out: Console, seed: int | None) -> None:
    named = "" if seed is None else _("seed %(seed)d: ") % {"seed": seed}
    if not brief or not fitness.fit:
        if brief and named:
            out.print(f"[red]✕[/red] {named}{fitness.problem.slug}")
        matrix.show(fitness, out)
        return
    problem, cases = fitness.problem, max(len(m.cases) for m in fitness.matrices)
    words = _("%(problem)s: %(cases)d cases, %(mistakes)d mistakes, all killed")
    values = {"problem": problem.slug, "cases": cases, "mistakes": len(problem.mistakes)}
    out.print(f"[green]✓[/green] {named}{words % values}", highlight=False)
    for framework in problem.missing:
        words = _("  not installed here, and not verified: %(framework)s")
        out.print(words % {"framework": TITLES[framework]}, style="yellow")


def check_syllabi(root: Path, names: Sequence[str], out: Console) -> int:
    """Checks the syllabi of a bank against its lessons and problems, and prints each finding.

    Returns 0 when nothing is wrong, else 1.
    """
    if not names:
        return 0
    lessons, problems = load_lessons(root), load_bank(root)
    readable, unreadable = syllabi.read_all(root)
    wrong = 0
    for name in names:
        findings: list[Text | str] = [unreadable[name]] if name in unreadable else []
        for syllabus in (each for each in readable if each.name == name):
            findings += syllabi.faults(syllabus, lessons, problems, readable)
            findings += syllabi.untranslated(syllabus)
        wrong += bool(findings)
        out.print(f"{'✕' if findings else '✓'} {name}", markup=False, highlight=False)
        for finding in findings:
            words = said(finding, catalogue(chosen()))
            out.print(f"  {words}", markup=False, highlight=False, soft_wrap=True)
    words = _("%(fit)d of %(total)d syllabi are fit to use")
    out.print(words % {"fit": len(names) - wrong, "total": len(names)})
    return 1 if wrong else 0


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
                out.print(_("judge error: %(error)s") % {"error": error_told(error)}, markup=False)
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
