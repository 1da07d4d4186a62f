"""How a run ended, as a finding: an exception, a limit, a file that does not load."""

from collections.abc import Mapping
from typing import Any

from grader.case import Case
from grader.findings.codes import Code
from grader.findings.finding import Finding, finding
from grader.inside.rules import FRAME_WAYS, FRAMES
from grader.model import Ended, Failure, Kind, Phase, Run
from grader.problem import Problem

ENTRIES = {
    Kind.FUNCTION: "function",
    Kind.MODULE: "class",
    Kind.CLASS: "class",
    Kind.VALUES: "value",
}
# of the wall time: on a machine with other work, a loop gets a small part of a core
BUSY = 0.1


def ending(run: Run, problem: Problem, case: Case, cpu_limit_ms: float | None = None) -> Finding:
    """Returns what there is to say of a call that did not return."""
    error = run.error or Failure("")
    if not run.executed and run.ended is Ended.WALL_TIME and error.type == "total":
        return finding(Code.NOT_RUN_IN_TIME, seconds=problem.limits.total_s)
    if not run.executed and run.phase is Phase.CALL:
        return finding(Code.NOT_RUN)
    match run.ended:
        case Ended.RAISED:
            return _exception(error)
        case Ended.BAD_STATE:
            return _parameters(error)
        case Ended.NOT_LOADED:
            return _not_loaded(error, problem)
        case Ended.FORBIDDEN if error.text == "import":
            return finding(Code.FORBIDDEN_IMPORT, error.lineno)
        case Ended.FORBIDDEN if _leads_to_the_driver(error.text):
            return finding(Code.FORBIDDEN_FRAME, error.lineno, name=error.text)
        case Ended.FORBIDDEN:
            return finding(Code.FORBIDDEN_NAME, error.lineno, name=error.text)
        case Ended.DIED if error.text == "signal":
            return finding(Code.KILLED, signal=error.type)
        case Ended.DIED:
            return finding(Code.EXITED, status=error.type)
        case Ended.WALL_TIME | Ended.CPU_TIME:
            return _too_slow(run, error, problem, case, cpu_limit_ms)
        case Ended.MEMORY:
            limit = case.memory_mib or problem.limits.memory_mib
            return finding(Code.OVER_MEMORY, error.lineno, limit_mib=limit)
        case Ended.OUTPUT:
            return _too_much(error, problem)
        case Ended.GARBLED:
            return finding(Code.CHANNEL_WRITTEN)
        case _:
            return finding(Code.JUDGE_LOST)


def _leads_to_the_driver(name: str) -> bool:
    return name.rpartition(".")[2] in FRAMES or name in FRAME_WAYS


def _too_slow(
    run: Run, error: Failure, problem: Problem, case: Case, cpu_limit_ms: float | None
) -> Finding:
    limits = problem.limits
    if run.ended is Ended.WALL_TIME and error.type == "total":
        return finding(Code.OVER_TOTAL_TIME, seconds=limits.total_s)
    if run.ended is Ended.WALL_TIME:
        computing = run.cpu_ms >= BUSY * limits.wall_s * 1e3 if run.executed else None
        return finding(Code.NO_ANSWER, error.lineno, seconds=limits.wall_s, computing=computing)
    if cpu_limit_ms is None:
        return finding(Code.OVER_CPU_TIME, used_s=run.cpu_ms / 1e3, limit_s=limits.cpu_s)
    return finding(
        Code.OVER_REFERENCE_TIME,
        error.lineno,
        used_ms=run.cpu_ms,
        limit_ms=cpu_limit_ms,
        times=case.cpu_factor,
    )


def _too_much(error: Failure, problem: Problem) -> Finding:
    if error.type == "printed":
        return finding(Code.PRINTED_TOO_MUCH, limit_kib=problem.limits.text_kib)
    code = {"text": Code.TEXT_TOO_LARGE, "tensors": Code.TENSORS_TOO_LARGE}.get(error.type)
    # a run that was stored has no sizes
    return (
        finding(code, **error.details) if code and error.details else finding(Code.RESULT_TOO_LARGE)
    )


def _exception(error: Failure) -> Finding:
    if "NotImplementedError" in error.bases and not error.text:
        return finding(Code.NOT_IMPLEMENTED, error.lineno)
    code = error.details.get("driver")
    if error.lineno is None and isinstance(code, str):
        return finding(Code.RAISED_IN_DRIVER, type=error.type, text=error.text, at=code)
    return finding(Code.RAISED, error.lineno, type=error.type, text=error.text)


def _parameters(error: Failure) -> Finding:
    """Why a module was refused. The details come from the room, where anything may be told."""
    given = error.details
    match error.type:
        case "not_a_module":
            return finding(
                Code.NOT_A_MODULE, entry=_text(given, "entry"), made=_text(given, "made")
            )
        case "not_an_object":
            name, made = _text(given, "entry"), _text(given, "made")
            return finding(Code.WRONG_KIND, name=name, kind="class", type=made)
        case "parameter_names":
            missing, unexpected = _texts(given, "missing"), _texts(given, "unexpected")
            return finding(Code.PARAMETER_NAMES, missing=missing, unexpected=unexpected)
        case "parameter_shape":
            return finding(
                Code.PARAMETER_SHAPE,
                parameter=_text(given, "parameter"),
                shape=_counts(given, "shape"),
                expected=_counts(given, "expected"),
            )
    return finding(Code.WRONG_PARAMETERS)


def _text(details: Mapping[str, Any], name: str) -> str:
    value = details.get(name)
    return value if isinstance(value, str) else ""


def _texts(details: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = details.get(name)
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, tuple) else ()


def _counts(details: Mapping[str, Any], name: str) -> tuple[int, ...]:
    value = details.get(name)
    return tuple(v for v in value if isinstance(v, int)) if isinstance(value, tuple) else ()


def _not_loaded(error: Failure, problem: Problem) -> Finding:
    if error.type == "missing":
        kind = ENTRIES[problem.kind]
        return finding(Code.NOT_DEFINED, name=error.text, kind=kind, defines=error.bases)
    if error.type == "not_callable":
        kind, made = ENTRIES[problem.kind], ", ".join(error.bases)
        made = "class" if made == "type" else made
        return finding(Code.WRONG_KIND, name=error.text, kind=kind, type=made)
    if "SyntaxError" in error.bases:
        excerpt = f"\n{error.trace.rstrip()}" if "^" in error.trace else ""
        return finding(
            Code.SYNTAX_ERROR, error.lineno, type=error.type, text=error.text, excerpt=excerpt
        )
    return _exception(error)
