"""try_input(problem, submission, sandbox, text) -> Tried: a submission beside the reference, on
inputs that the learner wrote.

The text is evaluated in a room that holds nothing of the problem, and what comes out is checked
like any reply (docs/design/shrink.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader.answers import Answer
from grader.case import Case
from grader.explore.arrays import Output, arguments_json, as_python, outputs
from grader.explore.complaints import InputError, Wrong, complaint
from grader.explore.domain import Domain, domain
from grader.explore.public import public_cases, takes_inputs
from grader.explore.reading import read_case
from grader.explore.reference import Reference, reference
from grader.findings.finding import Finding
from grader.findings.sentences import findings_json
from grader.judge import random_seed
from grader.model import Ended, Framework, Limits, Outcome, Submission
from grader.problem import Problem
from grader.sandbox import Job, Sandbox
from grader.verdict.judged import judged_case


@dataclass(frozen=True, slots=True)
class Tried:
    """What a submission makes of one input, beside what is expected."""

    problem: str
    framework: Framework
    verdict: Outcome
    case: Case
    findings: tuple[Finding, ...]
    outputs: tuple[Output, ...]
    printed: str

    def to_json(self) -> dict[str, Any]:
        """Returns the object documented in docs/design/shrink.md, made of plain JSON types."""
        return {
            "problem": self.problem,
            "framework": str(self.framework),
            "verdict": str(self.verdict),
            "arguments": arguments_json(self.case),
            "python": as_python(self.case),
            "raises": self.case.raises,
            "findings": findings_json(self.findings),
            "outputs": [output.to_json() for output in self.outputs],
            "printed": self.printed,
        }


def try_input(
    problem: Problem,
    submission: Submission,
    sandbox: Sandbox,
    text: str,
    *,
    rules: bool = True,
) -> Tried:
    """Runs a submission and the reference on the inputs that a text assigns.

    Raises `InputError` where the text, or the inputs, cannot be used, and what `judge` raises.
    """
    framework = problem.framework(submission.framework)
    answer = next(own_answers(problem, framework, sandbox, [text]))
    return tried(problem, submission, sandbox, answer, rules=rules)


def tried(
    problem: Problem,
    submission: Submission,
    sandbox: Sandbox,
    answer: Answer,
    *,
    rules: bool = True,
) -> Tried:
    """Runs a submission on one's own inputs, for which an answer is expected."""
    framework = problem.framework(submission.framework)
    job = Job(
        source=submission.source,
        framework=framework,
        kind=problem.kind,
        entries=problem.entries,
        cases=(answer.case,),
        limits=problem.limits,
        rules=problem.rules if rules else None,
        seed=random_seed(submission, 0),
        driver=problem.driver,
    )
    run = next(iter(sandbox.run(job)))
    judged = judged_case(problem, framework, answer, run, None, public=True)
    return Tried(
        problem=problem.slug,
        framework=framework,
        verdict=judged.result.verdict,
        case=answer.case,
        findings=judged.result.findings,
        outputs=outputs(answer, judged.run),
        printed=run.printed[:2000],
    )


def own_answers(
    problem: Problem, framework: Framework, sandbox: Sandbox, texts: Sequence[str]
) -> Iterator[Answer]:
    """Yields what is expected on the inputs that each text assigns.

    Raises `InputError` where a text, or its inputs, cannot be used.
    """
    allowed = _allowed(problem, framework, sandbox)
    for text in texts:
        case = read_case(problem, allowed, sandbox.evaluate(text, framework))
        yield _answer(allowed, framework, sandbox, case)


def example(problem: Problem, framework: Framework, sandbox: Sandbox) -> str:
    """Returns a text to begin with: the smallest sample.

    Raises `InputError` where the problem takes no inputs of one's own.
    """
    public = public_cases(problem, framework, sandbox)
    _check(problem, public)
    texts = [as_python(answer.case) for answer in public if answer.case.sample]
    return min((text for text in texts if text is not None), key=len, default="")


def _allowed(problem: Problem, framework: Framework, sandbox: Sandbox) -> Domain:
    public = public_cases(problem, framework, sandbox)
    _check(problem, public)
    return domain(problem, [answer.case for answer in public])


def _check(problem: Problem, public: tuple[Answer, ...]) -> None:
    if not takes_inputs(problem, public):
        raise InputError(complaint(Wrong.NOTHING_DRAWN, problem=problem.slug))
    if any(answer.case.nested for answer in public):
        raise InputError(complaint(Wrong.NESTED, problem=problem.slug))


def _answer(allowed: Domain, framework: Framework, sandbox: Sandbox, case: Case) -> Answer:
    """What is expected. Raises `InputError` where the reference has no answer."""
    problem = allowed.problem
    with reference(problem, framework, sandbox, _short(problem.limits)) as session:
        answer = session.answer(case)
        return answer if answer is not None else _exception(allowed, session, case)


def _exception(allowed: Domain, session: Reference, case: Case) -> Answer:
    """The exception that the statement demands for such inputs."""
    run = session.ask(case)
    if run.ended is not Ended.RAISED or run.error is None:
        raise InputError(complaint(Wrong.NO_ANSWER))
    due = next((name for name in run.error.bases if name in allowed.errors), "")
    if not due:
        raise InputError(complaint(Wrong.REFUSED, error=run.error.type))
    return Answer(replace(case, raises=due), {})


def _short(limits: Limits) -> Limits:
    return replace(limits, wall_s=min(5.0, limits.wall_s), total_s=min(10.0, limits.total_s))
