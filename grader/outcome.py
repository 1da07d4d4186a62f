"""Judges one case: a run and an answer make a judgement, in full detail.

`redact.py` decides what may be said of a hidden case.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.answers import Answer
from grader.case import Case
from grader.compare import compare, what_came
from grader.explain import Context
from grader.findings.codes import COARSE, Code
from grader.findings.finding import Finding, finding
from grader.findings.sentences import sentence
from grader.inside.frames import ABSENT
from grader.model import CaseResult, Ended, Failure, Framework, Kind, Outcome, Phase, Run
from grader.problem import Problem
from grader.sandbox import wanted

OUTCOMES = {
    Ended.BAD_STATE: Outcome.WRONG_ANSWER,
    Ended.RAISED: Outcome.RUNTIME_ERROR,
    Ended.DIED: Outcome.RUNTIME_ERROR,
    Ended.NOT_LOADED: Outcome.COMPILE_ERROR,
    Ended.FORBIDDEN: Outcome.RULE_VIOLATION,
    Ended.WALL_TIME: Outcome.TIME_LIMIT,
    Ended.CPU_TIME: Outcome.TIME_LIMIT,
    Ended.MEMORY: Outcome.MEMORY_LIMIT,
    Ended.OUTPUT: Outcome.OUTPUT_LIMIT,
    Ended.GARBLED: Outcome.WRONG_ANSWER,
    Ended.LOST: Outcome.JUDGE_ERROR,
}
KINDS = {  # what may be told of a hidden case that ended so and has no public twin
    Ended.RAISED: Code.RAISED,
    Ended.BAD_STATE: Code.WRONG_PARAMETERS,
    Ended.DIED: Code.PROCESS_ENDED,
}
ENTRIES = {Kind.FUNCTION: "function", Kind.MODULE: "class", Kind.VALUES: "value"}
WHILE_LOADING = (
    Ended.WALL_TIME,
    Ended.CPU_TIME,
    Ended.DIED,
    Ended.MEMORY,
    Ended.OUTPUT,
)
BUSY = 0.2  # of the wall time: a program that used less CPU was waiting
EXITS = ("SystemExit", "KeyboardInterrupt", "GeneratorExit")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict; unless accepted, the finding, and the code that may be told where that may not."""

    verdict: Outcome
    kind: Code | None = None
    finding: Finding | None = None

    @property
    def text(self) -> str:
        """The finding in English."""
        return "" if self.finding is None else sentence(self.finding)


def case_result(answer: Answer, run: Run, judgement: Judgement) -> CaseResult:
    """A judgement with its tensors, times and points."""
    case, found = answer.case, judgement.finding
    return CaseResult(
        name=case.name,
        verdict=judgement.verdict,
        sample=case.sample,
        points=case.points if judgement.verdict is Outcome.ACCEPTED else 0,
        max_points=case.points,
        wall_ms=run.wall_ms,
        cpu_ms=run.cpu_ms,
        memory_mib=run.memory_mib,
        message=judgement.text,
        findings=() if found is None else (found,),
        note=case.note,
        got={name: run.tensors[name] for name in answer.expected if name in run.tensors},
        expected={name: e.values for name, e in answer.expected.items()},
        printed=run.printed,
        case=case,
    )


def judge_case(
    problem: Problem,
    framework: Framework,
    answer: Answer,
    run: Run,
    cpu_limit_ms: float | None = None,
    brief: bool = False,
) -> Judgement:
    """Judges one run of a case. With `brief`, only the verdict is needed."""
    case = answer.case
    if case.raises:
        return _raised(case, run, problem, cpu_limit_ms)
    if run.ended is Ended.RETURNED and cpu_limit_ms is not None and run.cpu_ms > cpu_limit_ms:
        return _failed(replace(run, ended=Ended.CPU_TIME), problem, case, cpu_limit_ms)
    if run.ended is not Ended.RETURNED:
        return _failed(run, problem, case, cpu_limit_ms)
    found = mismatch(problem, framework, answer, run, brief)
    return Judgement(Outcome.ACCEPTED) if found is None else _wrong(found)


def mismatch(
    problem: Problem, framework: Framework, answer: Answer, run: Run, brief: bool = False
) -> Finding | None:
    """The first tensor that differs from the answer, in the order in which the case wants them."""
    case = answer.case
    entry = problem.entry(case.then or case.call)
    context = Context({}, {name: a for name, a in case.inputs.items() if a.dtype.kind == "b"})
    names = wanted(case, entry, framework)
    dtypes = run.dtypes
    returned = [n for n in names if n in entry.returns]
    if len(returned) > 1 and all(dtypes.get(n, "").startswith(ABSENT) for n in returned):
        came = what_came(dtypes[returned[0]])
        return finding(Code.WRONG_COUNT, came=came, expected=tuple(entry.returns))
    for name in names:
        expected = answer.expected[name]
        axes = axes_of(problem, name, expected.values)
        found = compare(
            name, run.tensors.get(name), dtypes.get(name, ""), expected, axes, context, brief
        )
        if found:
            return found
    return None


def axes_of(problem: Problem, name: str, values: np.ndarray) -> tuple[str, ...]:
    """The letters of a tensor's axes as the problem declares them ("B", "H", "L", "S"); () where it
    declares no form that fits.
    """
    for form in problem.shapes.get(
        name.rpartition(".")[2] if not name.startswith("grad.") else name[5:], ()
    ):
        letters = form.split()
        if letters[:1] == ["..."] and values.ndim >= len(letters) - 1:
            letters = [f"axis {i}" for i in range(values.ndim - len(letters) + 1)] + letters[1:]
        if len(letters) == values.ndim:
            return tuple(letters)
    return ()


def _raised(case: Case, run: Run, problem: Problem, cpu_limit_ms: float | None) -> Judgement:
    if run.ended is Ended.RAISED and run.error:
        if case.raises in run.error.bases:
            return Judgement(Outcome.ACCEPTED)
        return _wrong(
            finding(
                Code.RAISED_ANOTHER,
                run.error.lineno,
                due=case.raises,
                type=run.error.type,
                text=run.error.text,
            )
        )
    if run.ended is Ended.RETURNED:
        return _wrong(finding(Code.NOT_RAISED, due=case.raises))
    return _failed(run, problem, case, cpu_limit_ms)


def _wrong(found: Finding) -> Judgement:
    return Judgement(Outcome.WRONG_ANSWER, COARSE.get(found.code, found.code), found)


def _failed(run: Run, problem: Problem, case: Case, cpu_limit_ms: float | None) -> Judgement:
    verdict = OUTCOMES[run.ended]
    error = run.error or Failure("")
    if run.ended is Ended.NOT_LOADED and any(name in error.bases for name in EXITS):
        verdict = Outcome.RUNTIME_ERROR
    if run.ended is Ended.NOT_LOADED and (
        "MemoryError" in error.bases and "SyntaxError" not in error.bases and error.lineno
    ):
        verdict = Outcome.MEMORY_LIMIT
    found = _ending(run, error, problem, case, cpu_limit_ms)
    if run.phase is Phase.IMPORT and run.ended in WHILE_LOADING:
        found = replace(found, loading=True)
    return Judgement(verdict, KINDS.get(run.ended, Code.NOT_A_RESULT), found)


def _ending(
    run: Run, error: Failure, problem: Problem, case: Case, cpu_limit_ms: float | None
) -> Finding:
    """What there is to say of a call that did not return."""
    if not run.asked and run.ended is Ended.WALL_TIME and error.type == "total":
        return finding(Code.NOT_RUN_IN_TIME, seconds=problem.limits.total_s)
    if not run.asked and run.phase is Phase.CALL:
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
            return _too_much(error)
        case Ended.GARBLED:
            return finding(Code.CHANNEL_WRITTEN)
        case _:
            return finding(Code.JUDGE_LOST)


def _too_slow(
    run: Run, error: Failure, problem: Problem, case: Case, cpu_limit_ms: float | None
) -> Finding:
    limits = problem.limits
    if run.ended is Ended.WALL_TIME and error.type == "total":
        return finding(Code.OVER_TOTAL_TIME, seconds=limits.total_s)
    if run.ended is Ended.WALL_TIME:
        computing = run.cpu_ms >= BUSY * limits.wall_s * 1e3 if run.asked else None
        return finding(Code.NO_ANSWER, seconds=limits.wall_s, computing=computing)
    if cpu_limit_ms is None:
        return finding(Code.OVER_CPU_TIME, used_s=run.cpu_ms / 1e3, limit_s=limits.cpu_s)
    return finding(
        Code.OVER_REFERENCE_TIME,
        used_ms=run.cpu_ms,
        limit_ms=cpu_limit_ms,
        times=case.cpu_factor,
    )


def _too_much(error: Failure) -> Finding:
    match error.type:
        case "printed":
            return finding(Code.PRINTED_TOO_MUCH, **error.details)
        case "text":
            return finding(Code.TEXT_TOO_LARGE, **error.details)
        case "tensors":
            return finding(Code.TENSORS_TOO_LARGE, **error.details)
    return finding(Code.RESULT_TOO_LARGE)


def _exception(error: Failure) -> Finding:
    if "NotImplementedError" in error.bases and not error.text:
        return finding(Code.NOT_IMPLEMENTED, error.lineno)
    return finding(Code.RAISED, error.lineno, type=error.type, text=error.text)


def _parameters(error: Failure) -> Finding:
    """Why a module was refused. The details come from the room, where anything may be told."""
    given = error.details
    match error.type:
        case "not_a_module":
            return finding(
                Code.NOT_A_MODULE, entry=_text(given, "entry"), made=_text(given, "made")
            )
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
        return finding(Code.WRONG_KIND, name=error.text, kind=kind, type=made)
    if "SyntaxError" in error.bases:
        excerpt = f"\n{error.trace.rstrip()}" if "^" in error.trace else ""
        return finding(
            Code.SYNTAX_ERROR, error.lineno, type=error.type, text=error.text, excerpt=excerpt
        )
    return _exception(error)
