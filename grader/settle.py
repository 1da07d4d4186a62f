"""One fact and one answer -> one judgement."""

from dataclasses import replace

import numpy as np

from grader import discreet
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
EXITS = ("SystemExit", "KeyboardInterrupt", "GeneratorExit")


def settle(problem: Problem, framework: Framework, answer: Answer, run: Run, cpu_limit_ms: float | None = None) -> CaseResult:
    """Judge one case."""
    verdict, message = outcome(problem, framework, answer, run, cpu_limit_ms)
    case, sample = answer.case, answer.case.sample
    return CaseResult(
        name=case.name,
        verdict=verdict,
        sample=sample,
        points=case.points if verdict is Outcome.ACCEPTED else 0,
        max_points=case.points,
        wall_ms=run.wall_ms,
        cpu_ms=run.cpu_ms,
        memory_mib=run.memory_mib,
        message=message,
        note=case.note,
        got={name: run.tensors[name] for name in answer.expected if name in run.tensors} if sample else {},
        expected={name: e.values for name, e in answer.expected.items()} if sample else {},
        printed=run.printed if sample else "",
        case=case if sample else None,
    )


def outcome(problem: Problem, framework: Framework, answer: Answer, run: Run, cpu_limit_ms: float | None = None) -> tuple[Outcome, str]:
    """The verdict of one run and, unless accepted, the sentence that says why."""
    case = answer.case
    if case.raises:
        return _raised(case, run, problem, cpu_limit_ms)
    if run.ended is Ended.RETURNED and cpu_limit_ms is not None and run.cpu_ms > cpu_limit_ms:
        return _failed(replace(run, ended=Ended.CPU_TIME), problem, case, cpu_limit_ms)
    if run.ended is not Ended.RETURNED:
        return _failed(run, problem, case, cpu_limit_ms)
    found = mismatch(problem, framework, answer, run)
    return (Outcome.ACCEPTED, "") if found is None else (Outcome.WRONG_ANSWER, found.text)


def mismatch(problem: Problem, framework: Framework, answer: Answer, run: Run) -> Mismatch | None:
    """The first tensor that differs from the answer, in the order in which the case wants them."""
    case = answer.case
    entry = problem.entry(case.then or case.call)
    context = Context({}, {name: a for name, a in case.inputs.items() if a.dtype.kind == "b"})
    names = wanted(case, entry, framework)
    dtypes = run.dtypes if case.sample else {name: discreet.kind(dtype) for name, dtype in run.dtypes.items()}
    returned = [n for n in names if n in entry.returns]
    if len(returned) > 1 and all(dtypes.get(n, "").startswith("missing: ") for n in returned):
        what = dtypes[returned[0]].removeprefix("missing: ")
        return Mismatch(
            returned[0], "missing", f"the call returned {what}; expected {len(entry.returns)} values: {', '.join(entry.returns)}"
        )
    for name in names:
        expected = answer.expected[name]
        axes = axes_of(problem, name, expected.values)
        found = compare(name, run.tensors.get(name), dtypes.get(name, ""), expected, axes, context)
        if found:
            return found
    return None


def axes_of(problem: Problem, name: str, values: np.ndarray) -> tuple[str, ...]:
    """The letters of a tensor's axes as the problem declares them ("B", "H", "L", "S"); () where it declares no form that fits."""
    for form in problem.shapes.get(name.rpartition(".")[2] if not name.startswith("grad.") else name[5:], ()):
        letters = form.split()
        if letters[:1] == ["..."] and values.ndim >= len(letters) - 1:
            letters = [f"axis {i}" for i in range(values.ndim - len(letters) + 1)] + letters[1:]
        if len(letters) == values.ndim:
            return tuple(letters)
    return ()


def _raised(case: Case, run: Run, problem: Problem, cpu_limit_ms: float | None) -> tuple[Outcome, str]:
    if run.ended is Ended.RAISED and run.error:
        if case.raises in run.error.bases:
            return Outcome.ACCEPTED, ""
        return Outcome.WRONG_ANSWER, f"the call must raise {case.raises}, and raised something else: {_error(_told(run, case))}"
    if run.ended is Ended.RETURNED:
        return Outcome.WRONG_ANSWER, f"the call must raise {case.raises}; it returned a value"
    return _failed(run, problem, case, cpu_limit_ms)


def _failed(run: Run, problem: Problem, case: Case, cpu_limit_ms: float | None) -> tuple[Outcome, str]:
    verdict = OUTCOMES[run.ended]
    error = _told(run, case)
    importing = run.phase is Phase.IMPORT
    if run.ended is Ended.NOT_LOADED and any(name in error.bases for name in EXITS):
        verdict = Outcome.RUNTIME_ERROR
    if run.ended is Ended.NOT_LOADED and ("MemoryError" in error.bases and "SyntaxError" not in error.bases and error.lineno):
        verdict = Outcome.MEMORY_LIMIT
    return verdict, _sentence(run, error, problem, case, cpu_limit_ms) + (
        " (while the file was being loaded)" if importing and _timed(run) else ""
    )


def _told(run: Run, case: Case) -> Failure:
    """What the submission said of its failure, as far as it may be repeated: a hidden case's inputs are not known while it is loaded."""
    error = run.error or Failure("")
    in_its_words = run.ended in (Ended.RAISED, Ended.BAD_STATE) and run.phase is Phase.CALL
    return discreet.failure(error) if in_its_words and not case.sample else error


def _timed(run: Run) -> bool:
    return run.ended in (Ended.WALL_TIME, Ended.CPU_TIME, Ended.DIED, Ended.MEMORY, Ended.OUTPUT)


def _sentence(run: Run, error: Failure, problem: Problem, case: Case, cpu_limit_ms: float | None) -> str:
    limits, memory = problem.limits, case.memory_mib or problem.limits.memory_mib
    if not run.asked and run.phase is Phase.CALL:
        return "not run: it ended in the same way in several cases before"
    match run.ended:
        case Ended.RAISED:
            return _error(error)
        case Ended.BAD_STATE:
            return error.text if case.sample else "the module's parameters are not the ones that the statement names"
        case Ended.NOT_LOADED:
            return _not_loaded(error, problem)
        case Ended.FORBIDDEN:
            return f"line {error.lineno}: {_rule(error.text)}"
        case Ended.DIED:
            return f"{error.text}: {error.type}"
        case Ended.WALL_TIME:
            busy = "; it was waiting, not computing" if run.cpu_ms < 0.2 * limits.wall_s * 1e3 else "; it was still computing"
            return f"no answer after {limits.wall_s:g} s{busy if run.asked else ''}"
        case Ended.CPU_TIME:
            if cpu_limit_ms is not None:
                return f"{run.cpu_ms:.0f} ms of CPU; allowed {cpu_limit_ms:.0f} ms, that is {case.cpu_factor:g} times the reference's"
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
        return f"line {error.lineno}: not implemented yet" if error.lineno else "not implemented yet"
    where = f"line {error.lineno}: " if error.lineno else ""
    return f"{where}{error.type}: {error.text}" if error.text else f"{where}{error.type}"


def _rule(name: str) -> str:
    return "this exercise is solved without imports" if name == "import" else f"{name} is what this exercise asks you to write"


def _not_loaded(error: Failure, problem: Problem) -> str:
    if error.type == "missing":
        kind = {"function": "function", "module": "class", "values": "value"}[problem.kind]
        defines = f"; it defines {', '.join(error.bases)}" if error.bases else "; it defines nothing"
        return f"the file defines no {kind} '{error.text}'{defines}"
    if error.type == "not_callable":
        kind = {"function": "function", "module": "class"}.get(problem.kind, "value")
        return f"'{error.text}' must be a {kind}; the file makes it a value of type {', '.join(error.bases)}"
    if "SyntaxError" in error.bases:
        return f"line {error.lineno}: {error.type}: {error.text}" + (f"\n{error.trace.rstrip()}" if "^" in error.trace else "")
    return _error(error)


def without_samples(result: CaseResult) -> CaseResult:
    """The result without its tensors."""
    return replace(result, got={}, expected={}, printed="", case=None)
