"""judge(problem, submission, sandbox) -> Verdict: the straight line, top to bottom.

The only things that run anyone's code are the calls that take the sandbox: `answers_for` (the
instructor's, cached), `sandbox.run` (the learner's) and `diagnose` (known mistakes, cached). What
comes out of the room is compared here, by numpy, with answers that were never in the room with it.
Everything that explains a failed hidden case is told of its public twin (see `redact.py`).
"""

import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.answers import CPU_TRIES, Answer, Answers, answers_for, reference_cpu
from grader.case import Case
from grader.diagnosis.diagnose import diagnose
from grader.diagnosis.matching import Evidence
from grader.findings.codes import Code
from grader.findings.finding import finding
from grader.findings.sentences import sentences
from grader.model import CaseResult, Diagnosis, Outcome, Run, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import Job, Sandbox
from grader.verdict.outcome import Judgement, case_result, judge_case
from grader.verdict.redact import redact, wants_twin, with_twin
from grader.verdict.remarks import remarks
from grader.verdict.translate import ENGLISH

log = logging.getLogger("grader.judge")

# times its CPU limit a case may run on: the machine may be slower now than when the reference was
# measured
LENIENCE = 3.0
MESSAGE_BYTES = 64 * 1024  # of all messages of a verdict together, as JSON; each stands there twice
# a tensor larger than this, and than four answers, is compared and then dropped
KEPT_BYTES = 1 << 20
TWINS_S = 15.0  # what all public twins of a submission may take; what comes later is not explained
OnCase = Callable[[CaseResult], None]


def judge(
    problem: Problem,
    submission: Submission,
    sandbox: Sandbox,
    *,
    seed: int = 0,
    rules: bool = True,
    samples_only: bool = False,
    on_case: OnCase | None = None,
) -> Verdict:
    """Judge one submission. `on_case` sees each case as soon as it is judged; `rules=False` forbids
    no name.

    Raises `UsageError` for a framework that the problem does not have, `ProblemError` when the
    problem's own code fails, and `JudgeError` when no room can be built. Whatever a learner wrote
    ends in a verdict, not in an exception.
    """
    framework = problem.framework(submission.framework)
    answers = answers_for(problem, framework, sandbox, seed)
    chosen = _samples_first(answers, samples_only)
    cpu_limits = answers.cpu_limits()
    job = Job(
        source=submission.source,
        framework=framework,
        kind=problem.kind,
        entries=problem.entries,
        cases=tuple(a.case for a in chosen),
        limits=problem.limits,
        rules=problem.rules if rules else None,
        seed=_random_seed(submission, seed),
        cpu_ms={name: LENIENCE * limit for name, limit in cpu_limits.items()},
        frames=answers.frames,
    )
    judged: list[Judged] = []
    with closing(sandbox.run(job)) as replies:  # type: ignore[type-var]
        for answer, run in zip(chosen, replies, strict=True):
            limit = cpu_limits.get(answer.case.name)
            if limit is not None and limit < run.cpu_ms:
                run, limit = _again(problem, job, answer, run, limit, sandbox)
            judged.append(_judged(problem, job, answer, run, limit, answer.case.sample))
            if not judged[-1].passed and not samples_only:
                sandbox.prepare(framework)  # for the public twins
            if on_case is not None and not judged[-1].wants_twin:
                on_case(redact(problem, judged[-1].result, run))
    twins = _run_twins(problem, job, answers, judged, sandbox)
    results = [_told(problem, answers, each, twins) for each in judged]
    if on_case is not None:
        for each, result in zip(judged, results, strict=True):
            if each.wants_twin:
                on_case(result)
    results = _short(_in_order(answers, results))
    failed = next((r for r in results if r.verdict is not Outcome.ACCEPTED), None)
    verdict = _verdict(results)
    lost = verdict is Outcome.JUDGE_ERROR
    return Verdict(
        problem=problem.slug,
        digest=problem.digest,
        framework=framework,
        verdict=verdict,
        score=0 if lost else sum(r.points for r in results),
        max_score=sum(r.max_points for r in results),
        isolation=sandbox.name,
        seed=seed,
        cases=tuple(results),
        diagnoses=(
            ()
            if failed is None or lost
            else _diagnosed(problem, job, answers, judged, results, twins, sandbox)
        ),
        message=ENGLISH.passed([(r.verdict, r.name, r.message) for r in results]),
        cpu_ms=sum(each.run.cpu_ms for each in judged),
        remarks=remarks(
            submission.source, framework, [(e.answer, e.run) for e in judged if e.result.sample]
        ),
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """One case: what the room reported, and what it comes to, in full detail."""

    answer: Answer
    run: Run
    kind: Code
    result: CaseResult

    @property
    def passed(self) -> bool:
        """Is the case accepted?"""
        return self.result.verdict is Outcome.ACCEPTED

    @property
    def wants_twin(self) -> bool:
        """Is this a failure that its public twin explains?"""
        return wants_twin(self.result, self.run)


def _samples_first(answers: Answers, samples_only: bool) -> list[Answer]:
    """Samples are shown with all their numbers, so they run before the submission has seen a hidden
    input.
    """
    samples = [a for a in answers.cases if a.case.sample]
    return samples if samples_only else samples + [a for a in answers.cases if not a.case.sample]


def _in_order(answers: Answers, results: Sequence[CaseResult]) -> list[CaseResult]:
    """As `cases.py` yields them."""
    by_name = {result.name: result for result in results}
    return [by_name[a.case.name] for a in answers.cases if a.case.name in by_name]


def _judged(
    problem: Problem, job: Job, answer: Answer, run: Run, limit: float | None, public: bool
) -> Judged:
    """One case; why it fails is looked at only where that is `public`.

    This is the one boundary at which a defect of the judge is caught: what a submission sends may
    not cost more than its own verdict.
    """
    try:
        judgement = judge_case(problem, job.framework, answer, run, limit, brief=not public)
    except Exception:
        log.exception(
            "comparing failed",
            extra={"fields": {"problem": problem.slug, "case": answer.case.name}},
        )
        run = replace(run, tensors={}, dtypes={})
        judgement = Judgement(
            Outcome.WRONG_ANSWER, Code.NOT_A_RESULT, (finding(Code.NOT_COMPARABLE),)
        )
    run = replace(run, tensors=_of_its_size(run.tensors, answer) if public else {})
    return Judged(
        answer, run, judgement.kind or Code.NOT_A_RESULT, case_result(answer, run, judgement)
    )


def _of_its_size(tensors: Mapping[str, np.ndarray], answer: Answer) -> dict[str, np.ndarray]:
    """The tensors without those far larger than the answer: kept for every case, they would fill
    the memory.
    """
    largest = {name: max(KEPT_BYTES, 4 * e.values.nbytes) for name, e in answer.expected.items()}
    kept = {
        name: tensor
        for name, tensor in tensors.items()
        if tensor.nbytes <= largest.get(name, KEPT_BYTES)
    }
    if len(kept) == len(tensors):
        return kept
    # all tensors of a frame lie in one piece of memory
    return {name: tensor.copy() for name, tensor in kept.items()}


def _run_twins(
    problem: Problem, job: Job, answers: Answers, judged: Sequence[Judged], sandbox: Sandbox
) -> Mapping[str, Judged]:
    """The submission on the public twins of the hidden cases that it failed, in one fresh child; {}
    when there are none.
    """
    failed = [each.answer.case.name for each in judged if each.wants_twin]
    twins = [answers.twins[name] for name in failed if name in answers.twins]
    if not twins:
        return {}
    limits = replace(job.limits, total_s=min(TWINS_S, job.limits.total_s))
    public = replace(
        job, cases=tuple(twin.case for twin in twins), limits=limits, frames=answers.twin_frames
    )
    with closing(sandbox.run(public)) as replies:  # type: ignore[type-var]
        return {
            twin.case.name: _judged(problem, job, twin, run, None, True)
            for twin, run in zip(twins, replies, strict=True)
        }


def _told(
    problem: Problem, answers: Answers, each: Judged, twins: Mapping[str, Judged]
) -> CaseResult:
    """What is said of a case."""
    if not each.wants_twin:
        return redact(problem, each.result, each.run)
    name = each.result.name
    twin = twins.get(name)
    usable = twin is not None and twin.run.asked
    return with_twin(
        problem,
        each.result,
        each.kind,
        twin.result if twin and usable else None,
        name in answers.twins,
    )


def _diagnosed(
    problem: Problem,
    job: Job,
    answers: Answers,
    judged: Sequence[Judged],
    results: Sequence[CaseResult],
    twins: Mapping[str, Judged],
    sandbox: Sandbox,
) -> tuple[Diagnosis, ...]:
    """The known mistakes, by what is public: samples, twins, and which cases failed."""
    public = {each.result.name: each for each in judged if each.result.sample} | dict(twins)
    evidence = [
        (
            Evidence(
                result.name,
                result.verdict,
                public[result.name].run,
                public[result.name].result.verdict,
            )
            if result.name in public
            else Evidence(result.name, result.verdict)
        )
        for result in results
    ]

    def rerun(case: Case) -> Run:
        again = replace(job, cases=(case,), seed=job.seed + 1, cpu_ms=None, frames=None)
        return next(iter(sandbox.run(again)))

    try:
        return diagnose(problem, answers, evidence, sandbox, rerun)
    except Exception:
        log.exception("diagnosing failed", extra={"fields": {"problem": problem.slug}})
        return ()


def _short(results: Sequence[CaseResult]) -> list[CaseResult]:
    """Messages and findings cut, so that no submission makes a verdict of megabytes."""
    most = MESSAGE_BYTES // max(1, len(results))
    return [r if len(r.message) * 12 <= most else _shortened(r, most) for r in results]


def _shortened(result: CaseResult, most: int) -> CaseResult:
    def cut(value: Any) -> Any:
        return _cut(value, most // 2) if isinstance(value, str) else value

    findings = tuple(
        replace(f, parameters={name: cut(value) for name, value in f.parameters.items()})
        for f in result.findings
    )
    return replace(result, findings=findings, message=_cut(sentences(findings), most))


def _cut(text: str, most: int) -> str:
    """The beginning of a text that takes at most so many bytes as JSON, where a character may take
    twelve.
    """
    while len(json.dumps(text)) > most:
        text = text[: len(text) * 3 // 4].rstrip() + " …"
    return text


def _again(
    problem: Problem, job: Job, answer: Answer, run: Run, limit: float, sandbox: Sandbox
) -> tuple[Run, float]:
    """A case over its CPU limit is measured again beside the reference: a busy machine must not
    refuse what a quiet one accepts.
    """
    once_more = replace(job, cases=(answer.case,))
    tries = [
        run,
        *(run_again for _ in range(CPU_TRIES - 1) for run_again in sandbox.run(once_more)),
    ]
    return min(tries, key=lambda r: r.cpu_ms), max(
        limit,
        (answer.case.cpu_factor or 0.0)
        * reference_cpu(problem, job.framework, answer.case, sandbox),
    )


def _verdict(results: list[CaseResult]) -> Outcome:
    """The first failing case's; a case that we lost makes the whole ours."""
    kinds = [r.verdict for r in results]
    if Outcome.JUDGE_ERROR in kinds:
        return Outcome.JUDGE_ERROR
    return next((kind for kind in kinds if kind is not Outcome.ACCEPTED), Outcome.ACCEPTED)


def _random_seed(submission: Submission, seed: int) -> int:
    """What random draws in the submission start from: the same source gets the same luck, so
    sending it again changes nothing.
    """
    whole = hashlib.sha256(f"{seed}:{submission.source}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(whole[:7], "little")


__all__ = ["OnCase", "Submission", "judge"]
