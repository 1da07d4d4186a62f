"""What may be said of a hidden case: its name, its verdict, and nothing that depends on a value in
it.

A submission sees hidden inputs while it runs, so whatever it can choose (a shape, a message, a
line, an exit code, a size, a time) could carry them out, and whatever compares its result with the
answer could carry the answer out. So everything that explains a failure is told of the case's
public twin, which the learner may see whole (docs/design/twins.md).
"""

from dataclasses import replace

from grader.case import Case
from grader.model import CaseResult, Outcome, Phase, Run, Twin
from grader.problem import Problem

TIME_STEP_MS = 10.0
MEMORY_STEP_MIB = 1.0
ERRORS = (Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR)  # told apart by the twin alone
EXPLAINED = (*ERRORS, Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT)
ONLY_HIDDEN = "it passes with the public inputs and fails with the hidden ones"
UNEXPLAINED = "it fails with the hidden inputs; the public ones could not be tried"
KINDS = {  # of a case in which nothing is drawn: the kind of finding, and no more
    "missing": "a result is missing",
    "type": "a result is of another type than asked",
    "shape": "a result has another shape than asked",
    "dtype": "a result has another dtype than asked",
    "nonfinite": "a result is not finite where it must be",
    "values": "the values differ",
    "mutated": "an input was modified by the call",
    "raised": "the call raised an exception",
    "raised_another": "the call raised another exception than it must",
    "not_raised": "the call did not raise the exception that it must",
    "bad_state": "the module's parameters are not the ones that the statement names",
    "died": "the program ended its own process, or a signal ended it",
}
UNKNOWN_KIND = "what came out is not a result"


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
    message = result.message
    if result.verdict is Outcome.TIME_LIMIT and run.phase is Phase.CALL:
        assert result.case is not None
        message = _limit(problem, result.case, result.verdict)
    return replace(_coarse(result), message=message, got={}, expected={}, printed="", case=None)


def with_twin(
    problem: Problem, result: CaseResult, kind: str, twin: CaseResult | None, tried: bool
) -> CaseResult:
    """A failed hidden case, explained by its twin's result; `tried` is False when nothing is drawn,
    so that there is no twin.
    """
    assert result.case is not None
    plain = replace(_coarse(result), got={}, expected={}, printed="", case=None)
    over = result.verdict not in ERRORS
    if not tried:
        message = (
            _limit(problem, result.case, result.verdict) if over else KINDS.get(kind, UNKNOWN_KIND)
        )
        return replace(plain, message=message, twin=Twin.NONE)
    if twin is None:
        return replace(
            plain, verdict=result.verdict if over else Outcome.WRONG_ANSWER, message=UNEXPLAINED
        )
    explained = twin.verdict is result.verdict if over else twin.verdict in ERRORS
    if explained:
        shown = {
            "got": twin.got,
            "expected": twin.expected,
            "printed": twin.printed,
            "case": twin.case,
        }
        return replace(plain, verdict=twin.verdict, message=twin.message, twin=Twin.FAILS, **shown)  # type: ignore[arg-type]
    if over:
        return replace(
            plain, message=_limit(problem, result.case, result.verdict), twin=Twin.PASSES
        )
    return replace(plain, verdict=Outcome.WRONG_ANSWER, message=ONLY_HIDDEN, twin=Twin.PASSES)


def _coarse(result: CaseResult) -> CaseResult:
    """Times and memory in steps: finer ones would be a wide channel."""
    return replace(
        result,
        wall_ms=result.wall_ms // TIME_STEP_MS * TIME_STEP_MS,
        cpu_ms=result.cpu_ms // TIME_STEP_MS * TIME_STEP_MS,
        memory_mib=result.memory_mib // MEMORY_STEP_MIB * MEMORY_STEP_MIB,
    )


def _limit(problem: Problem, case: Case, verdict: Outcome) -> str:
    """Which limit it is over, from the problem's limits alone: what was used is the submission's to
    choose.
    """
    limits = problem.limits
    match verdict:
        case Outcome.TIME_LIMIT if case.cpu_factor is not None:
            return f"over the time limit: {case.cpu_factor:g} times the reference's CPU time"
        case Outcome.TIME_LIMIT:
            return (
                f"over the time limit: {limits.wall_s:g} s for a call, {limits.cpu_s:g} s of CPU"
                f" and {limits.total_s:g} s in all"
            )
        case Outcome.MEMORY_LIMIT:
            return f"more than {case.memory_mib or limits.memory_mib} MiB of memory"
        case _:
            return "too much output"
