"""Judges one case: a run and an answer make a judgement, in full detail.

`redact.py` decides what may be said of a hidden case.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from grader.answers import Answer
from grader.case import Case, root
from grader.comparison import texts
from grader.comparison.compare import agrees, compare, other_dtype, what_came
from grader.comparison.endings import ending
from grader.comparison.places import Context
from grader.findings.codes import COARSE, Code
from grader.findings.finding import Finding, finding
from grader.findings.sentences import sentences
from grader.inside.frames import ABSENT
from grader.model import CaseResult, Ended, Failure, Framework, Outcome, Phase, Run
from grader.problem import Problem
from grader.sandbox import parts, wanted

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
WHILE_LOADING = (
    Ended.WALL_TIME,
    Ended.CPU_TIME,
    Ended.DIED,
    Ended.MEMORY,
    Ended.OUTPUT,
)
EXITS = ("SystemExit", "KeyboardInterrupt", "GeneratorExit")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict; unless accepted, the findings, and the code to tell where they may not be told."""

    verdict: Outcome
    kind: Code | None = None
    findings: tuple[Finding, ...] = ()


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
        message=sentences(judgement.findings),
        findings=judgement.findings,
        note=case.note,
        got={
            name: texts.shown(run.tensors[name], run.dtypes.get(name, ""))
            for name in answer.expected
            if name in run.tensors
        },
        expected={name: e.shown for name, e in answer.expected.items()},
        printed=run.printed,
        case=case,
        due={name: e.dtype for name, e in answer.expected.items()},
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
    findings = mismatch(problem, framework, answer, run, brief)
    return _wrong(*findings) if findings else Judgement(Outcome.ACCEPTED)


def mismatch(
    problem: Problem, framework: Framework, answer: Answer, run: Run, brief: bool = False
) -> tuple[Finding, ...]:
    """How the first tensor that differs from the answer does, in the order in which the case wants
    them.
    """
    case = answer.case
    entry = problem.entry(case.then or case.call)
    names = wanted(case, entry, framework)
    dtypes = run.dtypes
    returned = [n for n in names if n in entry.returns]
    if len(returned) > 1 and all(dtypes.get(n, "").startswith(ABSENT) for n in returned):
        came = what_came(dtypes[returned[0]])
        return (finding(Code.WRONG_COUNT, came=came, expected=tuple(entry.returns)),)
    for name in parts(names, entry.nested, answer.expected):
        expected = answer.expected[name]
        given, dtype = run.tensors.get(name), dtypes.get(name, "")
        if given is not None and agrees(given, dtype, expected):
            continue
        axes = axes_of(problem, name, expected.values)
        context = Context({}, {name: a for name, a in case.inputs.items() if a.dtype.kind == "b"})
        findings = compare(name, given, dtype, expected, axes, context, brief)
        if findings:
            return findings
    return _unexpected(entry.nested, answer, dtypes)


def _unexpected(
    nested: tuple[str, ...], answer: Answer, dtypes: Mapping[str, str]
) -> tuple[Finding, ...]:
    """A leaf that came and is not of the answer."""
    extra = (name for name in dtypes if root(name) in nested and name not in answer.expected)
    return tuple(finding(Code.UNEXPECTED, tensor=name) for name in islice(extra, 1))


def tolerated(answer: Answer, run: Run) -> list[str]:
    """The tensors of another dtype than asked, where that is no mistake."""
    return [
        name
        for name, expected in answer.expected.items()
        if name in run.tensors and other_dtype(run.dtypes.get(name, ""), expected.dtype)
    ]


def axes_of(problem: Problem, name: str, values: np.ndarray) -> tuple[str, ...]:
    """The letters of a tensor's axes as the problem declares them ("B", "H", "L", "S"); () where it
    declares no form that fits.
    """
    for form in problem.forms(name):
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


def _wrong(*findings: Finding) -> Judgement:
    code = findings[0].code
    return Judgement(Outcome.WRONG_ANSWER, COARSE.get(code, code), findings)


def _failed(run: Run, problem: Problem, case: Case, cpu_limit_ms: float | None) -> Judgement:
    verdict = OUTCOMES[run.ended]
    error = run.error or Failure("")
    if run.ended is Ended.NOT_LOADED and any(name in error.bases for name in EXITS):
        verdict = Outcome.RUNTIME_ERROR
    if run.ended is Ended.NOT_LOADED and (
        "MemoryError" in error.bases and "SyntaxError" not in error.bases and error.lineno
    ):
        verdict = Outcome.MEMORY_LIMIT
    failure = ending(run, problem, case, cpu_limit_ms)
    if run.phase is Phase.IMPORT and run.ended in WHILE_LOADING:
        failure = replace(failure, loading=True)
    return Judgement(verdict, KINDS.get(run.ended, Code.NOT_A_RESULT), (failure,))
