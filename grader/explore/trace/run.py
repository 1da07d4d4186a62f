"""Traces a submission in a public case, beside the reference.

Cases are samples, public twins, or a learner's own input. A hidden case is never traced.
"""

from dataclasses import replace

import numpy as np

from grader.answers import Answer, Answers, answers_for
from grader.cache import Cache
from grader.case import Case
from grader.comparison.compare import Expected
from grader.comparison.places import Context
from grader.explore.public import public_case
from grader.explore.trace.comparison import Comparison, compared
from grader.explore.trace.result import Trace
from grader.explore.trace.wrong import WrongStep, first_wrong
from grader.findings.finding import Finding
from grader.model import Ended, Framework, Kind, Outcome, Run, Submission
from grader.problem import Problem
from grader.sandbox import Job, Sandbox, Traced
from grader.verdict.outcome import axes_of, judge_case

WIDER = 2  # times its memory that a program may use while it is traced: its values are kept
COSTLY = 1 << 16  # entries: a case with more in its inputs is not chosen by itself
SEARCH_S = 10.0  # for the first case that fails
OWN_TOLERANCE = 1e-4  # of the largest value of a result, where no tolerance was measured
_references: Cache[tuple[str, str, str, str], tuple[Run, Traced]] = Cache(256)
Judged = tuple[Outcome, tuple[Finding, ...]]


def trace(
    problem: Problem,
    submission: Submission,
    sandbox: Sandbox,
    case: str | Case | Answer | None = None,
    *,
    rules: bool = True,
) -> Trace:
    """Traces a submission in a public case: one that is named, one that is given, or the first
    small one that it fails.

    Raises `InputError` for a case that does not exist, or that is hidden and has no public twin.
    """
    job = _job(problem, submission, rules)
    answer = case if isinstance(case, Answer) else None
    named = case is None or isinstance(case, str)
    if case is None or isinstance(case, str):
        answers = answers_for(problem, job.framework, sandbox)
        answer = _public_case(problem, job, answers, case, sandbox)
    given = case if isinstance(case, Case) else None
    chosen = given or (answer.case if answer else None)
    assert chosen is not None
    # what is random is judged by statistics of many calls; this is one
    once = replace(chosen, draws=0, wants=()) if chosen.draws else chosen
    limits = replace(job.limits, memory_mib=job.limits.memory_mib * WIDER)
    run, traced = sandbox.trace(replace(job, cases=(once,), limits=limits))
    reference_run, reference = _reference(problem, job.framework, once, sandbox, named)
    verdict, findings = _judged(problem, job, answer or own_answer(chosen, reference_run), run)
    raised = run.error.lineno if run.error and run.error.lineno else 0
    # tables worked by hand are compared by nobody but the judge: other rows of them are hidden
    due = () if problem.kind is Kind.VALUES else reference.steps
    returns = problem.entry(chosen.then or chosen.call).returns
    driven = problem.driver is not None and not chosen.call
    comparison = compared(traced.steps, due, returns, raised, driven)
    passed = verdict is Outcome.ACCEPTED or bool(chosen.draws or chosen.raises)
    return Trace(
        problem=problem.slug,
        framework=job.framework,
        case=chosen,
        verdict=verdict,
        findings=findings,
        run=run,
        steps=traced.steps,
        cut=traced.cut,
        matches=comparison.matches,
        wrong=None if passed or not due else _wrong(problem, chosen, comparison, findings),
    )


def _job(problem: Problem, submission: Submission, rules: bool) -> Job:
    return Job(
        source=submission.source,
        framework=problem.framework(submission.framework),
        kind=problem.kind,
        entries=problem.entries,
        cases=(),
        limits=problem.limits,
        rules=problem.rules if rules else None,
        driver=problem.driver,
    )


def own_answer(case: Case, reference: Run) -> Answer:
    """What is expected in a case of the learner's own: what the reference returned just now."""
    expected = {}
    for name, values in reference.tensors.items():
        floats = values.dtype.kind == "f"
        largest = np.abs(values[np.isfinite(values)]).max(initial=1e-2) if floats else 0.0
        dtype = reference.dtypes[name]
        expected[name] = Expected(values, dtype, OWN_TOLERANCE * float(largest))
    return Answer(case, expected)


def _public_case(
    problem: Problem, job: Job, answers: Answers, name: str | None, sandbox: Sandbox
) -> Answer:
    """The sample or public twin of that name; without a name, the first small one that fails."""
    if name is None:
        return _first_failing(problem, job, list(answers.twins.values()), sandbox)
    return public_case(problem, job.framework, sandbox, name)


def _first_failing(problem: Problem, job: Job, public: list[Answer], sandbox: Sandbox) -> Answer:
    """The first sample that fails, else the first other public case, else the first sample."""
    job = replace(job, limits=replace(job.limits, total_s=min(SEARCH_S, job.limits.total_s)))
    samples = [answer for answer in public if answer.case.sample]
    others = [answer for answer in public if not answer.case.sample]
    for answers in (samples, others):
        small = [a for a in answers if _entries(a.case) <= COSTLY and a.case.cpu_factor is None]
        runs = sandbox.run(replace(job, cases=tuple(answer.case for answer in small)))
        for answer, run in zip(small, runs, strict=False):
            if _judged(problem, job, answer, run)[0] is not Outcome.ACCEPTED:
                return answer
    return (samples or others)[0]


def _entries(case: Case) -> int:
    return sum(tensor.size for tensor in case.tensors().values())


def _reference(
    problem: Problem, framework: Framework, case: Case, sandbox: Sandbox, keep: bool
) -> tuple[Run, Traced]:
    """The reference traced in a container of its own; in a public case, once."""

    def compute() -> tuple[tuple[Run, Traced], bool]:
        wide = replace(
            problem.limits,
            memory_mib=problem.limits.memory_mib * 4,
            wall_s=problem.limits.wall_s * 4,
        )
        source = problem.references[framework]
        job = Job(
            source,
            framework,
            problem.kind,
            problem.entries,
            (case,),
            wide,
            driver=problem.driver,
        )
        traced = sandbox.trace(job)
        return traced, traced[0].ended in (Ended.RETURNED, Ended.RAISED)

    if not keep:
        return compute()[0]
    return _references.get((problem.slug, problem.digest, str(framework), case.name), compute)


def _judged(problem: Problem, job: Job, answer: Answer, run: Run) -> Judged:
    if answer.case.draws:
        return Outcome.ACCEPTED, ()
    judgement = judge_case(problem, job.framework, answer, run)
    return judgement.verdict, judgement.findings


def _wrong(
    problem: Problem, case: Case, comparison: Comparison, findings: tuple[Finding, ...]
) -> WrongStep | None:
    masks = {name: array for name, array in case.inputs.items() if array.dtype.kind == "b"}
    tensors = [str(each.parameters.get("tensor", "")) for each in findings]
    gradients = any(name.startswith("grad.") for name in tensors)
    letters: dict[str, int] = {}
    for name, array in (*case.inputs.items(), *case.state.items()):
        for letter, size in zip(axes_of(problem, name, array), array.shape, strict=False):
            letters.setdefault(letter, size)
    return first_wrong(comparison, letters, Context({}, masks), gradients)
