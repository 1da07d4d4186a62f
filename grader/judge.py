"""judge(problem, submission, sandbox) -> Verdict: the straight line, top to bottom.

The only things that run anyone's code are the calls that take the sandbox: `answers_for` (the
instructor's, cached), `sandbox.run` (the learner's) and `diagnose` (known mistakes, cached). What
comes out of the room is compared here, by numpy, with answers that were never in the room with it.
Everything that explains a failed hidden case is told of its public twin (see `verdict/redact.py`).
"""

import hashlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

from grader.answers import Answer, Answers, answers_for
from grader.model import CaseResult, Diagnosis, Outcome, Run, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import Job, Sandbox, Unusual, ordinary
from grader.verdict.judged import Judged, judged_case, looks_afterwards, written_in
from grader.verdict.redact import redact, with_twin, written_elsewhere
from grader.verdict.remarks import remarks
from grader.verdict.shorten import shortened
from grader.verdict.timed import room_limits, timed_runs
from grader.verdict.translate import ENGLISH

TWINS_S = 15.0  # what all public twins of a submission may take; what comes later is not explained
QUICK_MS = 200.0  # what takes longer is run case by case
OnCase = Callable[[CaseResult], None]


def judge(
    problem: Problem,
    submission: Submission,
    sandbox: Sandbox,
    *,
    seed: int = 0,
    rules: bool = True,
    samples_only: bool = False,
    explain: bool = True,
    on_case: OnCase | None = None,
) -> Verdict:
    """Judge one submission. `on_case` sees each case as soon as it is judged; `rules=False` forbids
    no name; `explain=False` looks for no known mistake and runs no public twin: verdict and score.

    Raises `UsageError` for a framework that the problem does not have, `ProblemError` when the
    problem's own code fails, and `JudgeError` when no room can be built. Whatever a learner wrote
    ends in a verdict, not in an exception.
    """
    framework = problem.framework(submission.framework)
    answers = answers_for(problem, framework, sandbox, seed)
    chosen = _in_turn(answers, samples_only)
    job = _job(problem, submission, answers, chosen, seed, rules)
    cases = _run_cases(problem, job, answers, chosen, sandbox)
    judged = _told_at_once(problem, job, cases, sandbox, on_case, explain and not samples_only)
    twins = _run_twins(problem, job, answers, judged, sandbox) if explain else {}
    results = [_told(problem, answers, each, twins) for each in judged]
    if on_case is not None:
        for result in (r for e, r in zip(judged, results, strict=True) if e.wants_twin):
            on_case(result)
    results = shortened(_in_order(answers, results))
    outcome = _outcome(results)
    diagnoses: tuple[Diagnosis, ...] = ()
    unexplained: Mapping[str, Any] | None = None
    if explain and outcome not in (Outcome.ACCEPTED, Outcome.JUDGE_ERROR):
        # imported when something fails: a cold run of a right file does not take the time
        from grader.diagnosis.causes import find_causes, public_evidence

        evidence = public_evidence(judged, results, twins)
        causes = find_causes(problem, job, answers, evidence, sandbox)
        diagnoses, unexplained = causes.diagnoses, causes.behaviour
    return Verdict(
        problem=problem.slug,
        digest=problem.digest,
        framework=framework,
        verdict=outcome,
        score=0 if outcome is Outcome.JUDGE_ERROR else sum(r.points for r in results),
        max_score=sum(r.max_points for r in results),
        isolation=sandbox.name,
        seed=seed,
        cases=tuple(results),
        diagnoses=diagnoses,
        message=ENGLISH.passed([(r.verdict, r.name, r.message) for r in results]),
        cpu_ms=sum(each.run.cpu_ms for each in judged),
        remarks=remarks(
            submission.source, framework, [(e.answer, e.run) for e in judged if e.result.sample]
        ),
        behaviour=None if samples_only else unexplained,
    )


def _job(
    problem: Problem,
    submission: Submission,
    answers: Answers,
    chosen: Sequence[Answer],
    seed: int,
    rules: bool,
) -> Job:
    return Job(
        source=submission.source,
        framework=answers.framework,
        kind=problem.kind,
        entries=problem.entries,
        cases=tuple(a.case for a in chosen),
        limits=problem.limits,
        rules=problem.rules if rules else None,
        seed=random_seed(submission, seed),
        cpu_ms=room_limits(answers),
        frames=answers.frames,
        driver=problem.driver,
    )


def _run_cases(
    problem: Problem, job: Job, answers: Answers, chosen: Sequence[Answer], sandbox: Sandbox
) -> Generator[Judged, None, None]:
    """The submission on each case, one after another, each judged as soon as it has run.

    Inputs are to be left alone in every case; where an accepted one saw otherwise, the case that
    looks at them afterwards fails, and no other.
    """
    written = ""
    with closing(timed_runs(problem, job, answers, chosen, sandbox)) as replies:
        for answer, run, limit in replies:
            each = judged_case(problem, job.framework, answer, run, limit, answer.case.sample)
            if each.passed and written and looks_afterwards(answer):
                each, written = written_in(written, each), ""
            elif each.passed and run.modified:
                written = written or answer.case.name
            yield each


def _told_at_once(
    problem: Problem,
    job: Job,
    cases: Generator[Judged, None, None],
    sandbox: Sandbox,
    on_case: OnCase | None,
    twins: bool,
) -> list[Judged]:
    """All cases, each told as soon as it is judged, unless its public twin is to explain it. With
    `twins`, the first failure prepares the container that they will run in.
    """
    judged = []
    with closing(cases):
        for each in cases:
            judged.append(each)
            if twins and not each.passed:
                sandbox.prepare(job.framework)
                twins = False
            if on_case is not None and not each.wants_twin:
                on_case(redact(problem, each.result, each.run))
    return judged


def _in_turn(answers: Answers, samples_only: bool) -> list[Answer]:
    """Samples are shown with all their numbers, so they run before the submission has seen a hidden
    input. Cases that look at their inputs afterwards come last.
    """
    samples = [a for a in answers.cases if a.case.sample]
    if samples_only:
        return samples
    return samples + sorted((a for a in answers.cases if not a.case.sample), key=looks_afterwards)


def _in_order(answers: Answers, results: Sequence[CaseResult]) -> list[CaseResult]:
    """As `cases.py` yields them."""
    by_name = {result.name: result for result in results}
    return [by_name[a.case.name] for a in answers.cases if a.case.name in by_name]


def _run_twins(
    problem: Problem, job: Job, answers: Answers, judged: Sequence[Judged], sandbox: Sandbox
) -> Mapping[str, Judged]:
    """The submission on the public twins of the hidden cases that it failed, in one fresh child; {}
    when there are none.
    """
    failed = [each.elsewhere or each.answer.case.name for each in judged if each.wants_twin]
    twins = [answers.twins[name] for name in failed if name in answers.twins]
    if not twins:
        return {}
    limits = replace(job.limits, total_s=min(TWINS_S, job.limits.total_s))
    public = replace(
        job, cases=tuple(twin.case for twin in twins), limits=limits, frames=answers.twin_frames
    )

    def judged_of(runs: Iterator[Run]) -> dict[str, Judged]:
        with closing(runs):  # type: ignore[type-var]
            return {
                twin.case.name: judged_case(problem, job.framework, twin, run, None, True)
                for twin, run in zip(twins, runs, strict=True)
            }

    if _quick([each.run for each in judged if each.wants_twin]):
        with suppress(Unusual):
            return judged_of(sandbox.run_together(public))
    return judged_of(sandbox.run(public))


def _quick(runs: Sequence[Run]) -> bool:
    """Were the hidden cases quick and silent? Then their twins will be, too."""
    return (
        all(ordinary(run) and not run.printed for run in runs)
        and sum(run.wall_ms for run in runs) < QUICK_MS
    )


def _told(
    problem: Problem, answers: Answers, each: Judged, twins: Mapping[str, Judged]
) -> CaseResult:
    """What is said of a case."""
    if not each.wants_twin:
        return redact(problem, each.result, each.run)
    name = each.elsewhere or each.result.name
    twin = twins.get(name)
    ran = twin if twin is not None and twin.run.executed else None
    public = ran.run.modified if ran else name not in answers.twins
    if each.elsewhere and public:
        return written_elsewhere(each.result, name)
    return with_twin(
        problem, each.result, each.kind, ran.result if ran else None, name in answers.twins
    )


def _outcome(results: list[CaseResult]) -> Outcome:
    """The first failing case's; a case that we lost makes the whole ours."""
    kinds = [r.verdict for r in results]
    if Outcome.JUDGE_ERROR in kinds:
        return Outcome.JUDGE_ERROR
    return next((kind for kind in kinds if kind is not Outcome.ACCEPTED), Outcome.ACCEPTED)


def random_seed(submission: Submission, seed: int) -> int:
    """What random draws in the submission start from: the same source gets the same luck, so
    sending it again changes nothing.
    """
    whole = hashlib.sha256(f"{seed}:{submission.source}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(whole[:7], "little")


__all__ = ["OnCase", "Submission", "judge", "random_seed"]
