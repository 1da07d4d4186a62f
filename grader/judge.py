"""judge(problem, submission, sandbox) -> Verdict: the straight line, top to bottom.

The only things that run anyone's code are the two calls that take the sandbox: `answers_for` (the instructor's, cached) and `sandbox.run`
(the learner's). What comes out of the room is compared here, by numpy, with answers that were never in the room with it.
"""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace

import numpy as np

from grader.answers import CPU_TRIES, Answer, answers_for, reference_cpu
from grader.diagnose import diagnose
from grader.errors import UsageError
from grader.model import CaseResult, Outcome, Run, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import Job, Sandbox
from grader.settle import settle

KEPT_BYTES = 1 << 20
LENIENCE = 3.0  # times its CPU limit a case may run on: the machine may be slower now than when the reference was measured
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
    """Judge one submission. `on_case` sees each case as soon as it is judged; `rules=False` forbids no name.

    Raises `UsageError` for a framework that the problem does not have, `ProblemError` when the problem's own code fails, and `JudgeError`
    when no room can be built. Whatever a learner wrote ends in a verdict, not in an exception.
    """
    framework = submission.framework
    if framework not in problem.frameworks:
        raise UsageError(f"{problem.slug} is not for {framework}; it is for {' and '.join(problem.frameworks)} (--framework)")
    answers = answers_for(problem, framework, sandbox, seed)
    chosen = [a for a in answers.cases if a.case.sample or not samples_only]
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
        asked=answers.asked,
    )
    runs: list[Run] = []
    results: list[CaseResult] = []
    with closing(sandbox.run(job)) as answered:  # type: ignore[type-var]
        for answer, run in zip(chosen, answered, strict=True):
            limit = cpu_limits.get(answer.case.name)
            if limit is not None and limit < run.cpu_ms:
                run, limit = _again(problem, job, answer, run, limit, sandbox)
            result = settle(problem, framework, answer, run, limit)
            runs.append(replace(run, tensors=_of_its_size(run.tensors, answer)))
            result = replace(result, got=_of_its_size(result.got, answer))
            results.append(result)
            if on_case is not None:
                on_case(result)
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
        diagnosis=None if failed is None or lost else diagnose(problem, answers, runs, results, sandbox),
        message=_summary(results, failed),
    )


def _of_its_size(tensors: Mapping[str, np.ndarray], answer: Answer) -> dict[str, np.ndarray]:
    """The tensors without those far larger than the answer: kept for every case, they would fill the memory."""
    largest = {name: max(KEPT_BYTES, 4 * e.values.nbytes) for name, e in answer.expected.items()}
    kept = {name: tensor for name, tensor in tensors.items() if tensor.nbytes <= largest.get(name, KEPT_BYTES)}
    if len(kept) == len(tensors):
        return kept
    return {name: tensor.copy() for name, tensor in kept.items()}  # all tensors of a frame lie in one piece of memory


def _again(problem: Problem, job: Job, answer: Answer, run: Run, limit: float, sandbox: Sandbox) -> tuple[Run, float]:
    """A case over its CPU limit is measured again beside the reference: a busy machine must not refuse what a quiet one accepts."""
    once_more = replace(job, cases=(answer.case,))
    tries = [run, *(found for _ in range(CPU_TRIES - 1) for found in sandbox.run(once_more))]
    return min(tries, key=lambda r: r.cpu_ms), max(
        limit, (answer.case.cpu_factor or 0.0) * reference_cpu(problem, job.framework, answer.case, sandbox)
    )


def _verdict(results: list[CaseResult]) -> Outcome:
    """The first failing case's; a case that we lost makes the whole ours."""
    kinds = [r.verdict for r in results]
    if Outcome.JUDGE_ERROR in kinds:
        return Outcome.JUDGE_ERROR
    return next((kind for kind in kinds if kind is not Outcome.ACCEPTED), Outcome.ACCEPTED)


def _summary(results: list[CaseResult], failed: CaseResult | None) -> str:
    passed = sum(r.verdict is Outcome.ACCEPTED for r in results)
    if failed is None:
        return f"{passed} of {len(results)} cases passed"
    return f"{passed} of {len(results)} cases passed; first failure: {failed.name}: {failed.message}"


def _random_seed(submission: Submission, seed: int) -> int:
    """What random draws in the submission start from: the same source gets the same luck, so sending it again changes nothing."""
    whole = hashlib.sha256(f"{seed}:{submission.source}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(whole[:7], "little")


__all__ = ["OnCase", "Submission", "judge"]
