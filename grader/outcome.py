"""Judges one case: a run and an answer make a judgement, in full detail.

`redact.py` decides what may be said of a hidden case.
"""

from dataclasses import dataclass, replace

import numpy as np

from grader.answers import Answer
from grader.case import Case
from grader.compare import compare
from grader.explain import Context
from grader.model import CaseResult, Ended, Failure, Framework, Mismatch, Outcome, Phase, Run
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
# of the time: on a machine with other work, a loop gets a small part of a core
BUSY = 0.1
EXITS = ("SystemExit", "KeyboardInterrupt", "GeneratorExit")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict; unless accepted, the kind of finding (a `Mismatch.kind`, or how the run ended) and
    the sentence that says it.
    """

    verdict: Outcome
    kind: str = ""
    text: str = ""


def case_result(answer: Answer, run: Run, judgement: Judgement) -> CaseResult:
    """A judgement with its tensors, times and points."""
    case = answer.case
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
    finding = mismatch(problem, framework, answer, run, brief)
    return (
        Judgement(Outcome.ACCEPTED)
        if finding is None
        else Judgement(Outcome.WRONG_ANSWER, finding.kind, finding.text)
    )


def mismatch(
    problem: Problem, framework: Framework, answer: Answer, run: Run, brief: bool = False
) -> Mismatch | None:
    """The first tensor that differs from the answer, in the order in which the case wants them."""
    case = answer.case
    entry = problem.entry(case.then or case.call)
    context = Context({}, {name: a for name, a in case.inputs.items() if a.dtype.kind == "b"})
    names = wanted(case, entry, framework)
    dtypes = run.dtypes
    returned = [n for n in names if n in entry.returns]
    if len(returned) > 1 and all(dtypes.get(n, "").startswith("missing: ") for n in returned):
        what = dtypes[returned[0]].removeprefix("missing: ")
        return Mismatch(
            returned[0],
            "missing",
            f"the call returned {what}; expected {len(entry.returns)} values:"
            f" {', '.join(entry.returns)}",
        )
    for name in names:
        expected = answer.expected[name]
        axes = axes_of(problem, name, expected.values)
        finding = compare(
            name, run.tensors.get(name), dtypes.get(name, ""), expected, axes, context, brief
        )
        if finding:
            return finding
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
        text = f"the call must raise {case.raises}, and raised something else: {_error(run.error)}"
        return Judgement(Outcome.WRONG_ANSWER, "raised_another", text)
    if run.ended is Ended.RETURNED:
        return Judgement(
            Outcome.WRONG_ANSWER,
            "not_raised",
            f"the call must raise {case.raises}; it returned a value",
        )
    return _failed(run, problem, case, cpu_limit_ms)


def _failed(run: Run, problem: Problem, case: Case, cpu_limit_ms: float | None) -> Judgement:
    verdict = OUTCOMES[run.ended]
    error = run.error or Failure("")
    importing = run.phase is Phase.IMPORT
    if run.ended is Ended.NOT_LOADED and any(name in error.bases for name in EXITS):
        verdict = Outcome.RUNTIME_ERROR
    if run.ended is Ended.NOT_LOADED and (
        "MemoryError" in error.bases and "SyntaxError" not in error.bases and error.lineno
    ):
        verdict = Outcome.MEMORY_LIMIT
    suffix = " (while the file was being loaded)" if importing and _timed(run) else ""
    return Judgement(
        verdict, str(run.ended), _sentence(run, error, problem, case, cpu_limit_ms) + suffix
    )


def _timed(run: Run) -> bool:
    return run.ended in (Ended.WALL_TIME, Ended.CPU_TIME, Ended.DIED, Ended.MEMORY, Ended.OUTPUT)


def _sentence(
    run: Run, error: Failure, problem: Problem, case: Case, cpu_limit_ms: float | None
) -> str:
    limits, memory = problem.limits, case.memory_mib or problem.limits.memory_mib
    if run.ended is Ended.WALL_TIME and error.type == "total":
        if not run.asked:
            return (
                f"not run: the cases before used all of the {limits.total_s:g} s that the whole"
                " submission has"
            )
        return f"no answer within the {limits.total_s:g} s that the whole submission has"
    if not run.asked and run.phase is Phase.CALL:
        return "not run: it ended in the same way in several cases before"
    match run.ended:
        case Ended.RAISED:
            return _error(error)
        case Ended.BAD_STATE:
            return error.text
        case Ended.NOT_LOADED:
            return _not_loaded(error, problem)
        case Ended.FORBIDDEN:
            return f"line {error.lineno}: {_rule(error.text)}"
        case Ended.DIED:
            return f"{error.text}: {error.type}"
        case Ended.WALL_TIME:
            busy = (
                "; it was waiting, not computing"
                if run.cpu_ms < BUSY * limits.wall_s * 1e3
                else "; it was still computing"
            )
            return f"no answer after {limits.wall_s:g} s{busy if run.asked else ''}"
        case Ended.CPU_TIME:
            if cpu_limit_ms is not None:
                return (
                    f"{run.cpu_ms:.0f} ms of CPU; allowed {cpu_limit_ms:.0f} ms, that is"
                    f" {case.cpu_factor:g} times the reference's"
                )
            return f"{run.cpu_ms / 1e3:.1f} s of CPU; allowed {limits.cpu_s:g} s"
        case Ended.MEMORY:
            needed = f" (line {error.lineno})" if error.lineno else ""
            return f"more than {memory} MiB of memory{needed}"
        case Ended.OUTPUT:
            return f"too much output: {error.text}"
        case Ended.GARBLED:
            return "what came out is not a result: the program wrote to the result channel itself"
        case _:
            return "the judge lost the room; this is not your fault, and nothing is scored"


def _error(error: Failure) -> str:
    if "NotImplementedError" in error.bases and not error.text:
        return (
            f"line {error.lineno}: not implemented yet" if error.lineno else "not implemented yet"
        )
    where = f"line {error.lineno}: " if error.lineno else ""
    return f"{where}{error.type}: {error.text}" if error.text else f"{where}{error.type}"


def _rule(name: str) -> str:
    return (
        "this exercise is solved without imports"
        if name == "import"
        else f"{name} is what this exercise asks you to write"
    )


def _not_loaded(error: Failure, problem: Problem) -> str:
    if error.type == "missing":
        kind = {"function": "function", "module": "class", "values": "value"}[problem.kind]
        defines = (
            f"; it defines {', '.join(error.bases)}" if error.bases else "; it defines nothing"
        )
        return f"the file defines no {kind} '{error.text}'{defines}"
    if error.type == "not_callable":
        kind = {"function": "function", "module": "class"}.get(problem.kind, "value")
        return (
            f"'{error.text}' must be a {kind}; the file makes it a value of type"
            f" {', '.join(error.bases)}"
        )
    if "SyntaxError" in error.bases:
        return f"line {error.lineno}: {error.type}: {error.text}" + (
            f"\n{error.trace.rstrip()}" if "^" in error.trace else ""
        )
    return _error(error)
