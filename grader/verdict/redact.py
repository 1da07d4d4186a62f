"""What may be said of a hidden case: its name, its verdict, and nothing that depends on a value in
it.

A submission sees hidden inputs while it runs, so whatever it can choose (a shape, a message, a
line, an exit code, a size, a time) could carry them out, and whatever compares its result with the
answer could carry the answer out. So everything that explains a failure is told of the case's
public twin, which the learner may see whole (docs/design/twins.md).
"""

from dataclasses import replace

from grader.case import Case
from grader.findings.codes import Code
from grader.findings.finding import Finding, finding
from grader.findings.sentences import sentence
from grader.model import CaseResult, Outcome, Phase, Run, Twin
from grader.problem import Problem

TIME_STEP_MS = 10.0
MEMORY_STEP_MIB = 1.0
ERRORS = (Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR)  # told apart by the twin alone
EXPLAINED = (*ERRORS, Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT)


def wants_twin(result: CaseResult, run: Run) -> bool:
    """Is this a failure that its public twin explains? What happens while a file is loaded has seen
    no input and is told as it is.

    A case that was not run, since several before it had ended the child, is among them: how often
    that happened is the submission's choice.
    """
    return not result.sample and result.verdict in EXPLAINED and run.phase is Phase.CALL


def redact(problem: Problem, result: CaseResult, run: Run) -> CaseResult:
    """A hidden case's result without a twin's help: passed, over the time limit, or not loaded."""
    if result.sample:
        return result
    plain = _plain(result)
    if result.verdict is Outcome.TIME_LIMIT and run.phase is Phase.CALL:
        assert result.case is not None
        return _telling(plain, _limit(problem, result.case, result.verdict))
    return plain


def with_twin(
    problem: Problem, result: CaseResult, kind: Code, twin: CaseResult | None, tried: bool
) -> CaseResult:
    """A failed hidden case, explained by its twin's result; `tried` is False when nothing is drawn,
    so that there is no twin.
    """
    assert result.case is not None
    plain = _plain(result)
    over = result.verdict not in ERRORS
    if not tried:
        reason = _limit(problem, result.case, result.verdict) if over else Finding(kind)
        return _telling(replace(plain, twin=Twin.NONE), reason)
    if twin is None:
        verdict = result.verdict if over else Outcome.WRONG_ANSWER
        return _telling(replace(plain, verdict=verdict), finding(Code.UNEXPLAINED))
    explained = twin.verdict is result.verdict if over else twin.verdict in ERRORS
    if explained:
        shown = {
            "got": twin.got,
            "expected": twin.expected,
            "due": twin.due,
            "printed": twin.printed,
            "case": twin.case,
        }
        told = {"message": twin.message, "findings": twin.findings}
        return replace(plain, verdict=twin.verdict, twin=Twin.FAILS, **told, **shown)  # type: ignore[arg-type]
    plain = replace(plain, twin=Twin.PASSES)
    if over:
        return _telling(plain, _limit(problem, result.case, result.verdict))
    return _telling(replace(plain, verdict=Outcome.WRONG_ANSWER), finding(Code.ONLY_HIDDEN))


def written_elsewhere(result: CaseResult, case: str) -> CaseResult:
    """A hidden case that looks at its inputs afterwards, and fails because an input was written to
    in another case, as it is with what is public of that one.
    """
    return _telling(_plain(result), finding(Code.INPUT_MODIFIED_IN, case=case))


def _telling(result: CaseResult, reason: Finding) -> CaseResult:
    """The result with this finding and no other."""
    return replace(result, findings=(reason,), message=sentence(reason))


def _plain(result: CaseResult) -> CaseResult:
    """Without tensors, and with times and memory in steps: finer ones would be a wide channel."""
    return replace(
        result,
        got={},
        expected={},
        due={},
        printed="",
        case=None,
        wall_ms=result.wall_ms // TIME_STEP_MS * TIME_STEP_MS,
        cpu_ms=result.cpu_ms // TIME_STEP_MS * TIME_STEP_MS,
        memory_mib=result.memory_mib // MEMORY_STEP_MIB * MEMORY_STEP_MIB,
    )


def _limit(problem: Problem, case: Case, verdict: Outcome) -> Finding:
    """Which limit it is over, from the problem's limits alone: what was used is the submission's to
    choose.
    """
    limits = problem.limits
    match verdict:
        case Outcome.TIME_LIMIT if case.cpu_factor is not None:
            return finding(Code.OVER_CPU_FACTOR, times=case.cpu_factor)
        case Outcome.TIME_LIMIT:
            return finding(
                Code.OVER_TIME_LIMITS,
                wall_s=limits.wall_s,
                cpu_s=limits.cpu_s,
                total_s=limits.total_s,
            )
        case Outcome.MEMORY_LIMIT:
            return finding(Code.OVER_MEMORY, limit_mib=case.memory_mib or limits.memory_mib)
        case _:
            return finding(Code.OVER_OUTPUT)
