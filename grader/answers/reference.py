"""Runs the reference in the room. Whatever goes wrong there is the problem's own fault."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.answers.cases import last_entry
from grader.case import Case, root
from grader.comparison.compare import what_came
from grader.comparison.endings import ending
from grader.errors import JudgeError, ProblemError
from grader.findings.codes import Code
from grader.findings.finding import Finding, finding
from grader.findings.text import T_, Text
from grader.inside.frames import ABSENT
from grader.model import Ended, Failure, Framework, Limits, Run
from grader.problem import Problem
from grader.sandbox import Job, Sandbox, wanted

CONTAINERS = ("builtins.dict", "builtins.list", "builtins.tuple")
CPU_TRIES = 3  # noise only ever adds to CPU time, so the least of a few is nearest to the truth


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Cases to run the reference on, what that is for a message, and the seed of random draws."""

    cases: Sequence[Case]
    label: Text | str
    seed: int = 0


def plain(case: Case) -> bool:
    """Checks that a case is quick: many of these are run at once."""
    limited = case.memory_mib is not None or case.cpu_factor is not None
    return not (limited or case.draws or case.slow)


def run_reference(
    problem: Problem, framework: Framework, sandbox: Sandbox, evaluations: Sequence[Evaluation]
) -> list[list[Run]]:
    """The reference's runs of each evaluation, case by case, under four times the limits.

    Only runs of cases that are not `plain` have their time. Raises `ProblemError` when the
    reference fails a case.
    """
    jobs = [_job(problem, framework, each) for each in evaluations]
    quick = [replace(job, cases=tuple(filter(plain, job.cases))) for job in jobs]
    surveyed = iter(list(sandbox.survey(job for job in quick if job.cases)))
    by_evaluation = []
    for each, job, together in zip(evaluations, jobs, quick, strict=True):
        alone = replace(job, cases=tuple(case for case in job.cases if not plain(case)))
        runs = {run.case: run for run in (next(surveyed) if together.cases else [])}
        runs |= {run.case: run for run in (sandbox.run(alone) if alone.cases else ())}
        by_evaluation.append([runs[case.name] for case in job.cases])
        _check(problem, framework, each, by_evaluation[-1])
    return by_evaluation


def _job(problem: Problem, framework: Framework, evaluation: Evaluation) -> Job:
    return Job(
        problem.references[framework],
        framework,
        problem.kind,
        problem.entries,
        tuple(map(_roomy, evaluation.cases)),
        _wide(problem.limits),
        None,
        evaluation.seed,
        driver=problem.driver,
    )


def _check(problem: Problem, framework: Framework, evaluation: Evaluation, runs: list[Run]) -> None:
    where = f"reference/{problem.slug}/{framework}.py"
    for case, run in zip(evaluation.cases, runs, strict=True):
        if run.ended is Ended.LOST:
            raise JudgeError(T_("the room was lost while running %(path)s", path=where))
        fault = _fault(problem, framework, case, run, evaluation.label)
        if fault:
            words = T_(
                "%(path)s: case '%(case)s'%(fault)s", path=where, case=case.name, fault=fault
            )
            raise ProblemError(words)


def _wide(limits: Limits) -> Limits:
    return Limits(
        wall_s=limits.wall_s * 4,
        cpu_s=limits.cpu_s * 4,
        memory_mib=limits.memory_mib * 4,
        output_mib=limits.output_mib * 2,
        text_kib=limits.text_kib,
        total_s=limits.total_s * 4,
    )


def _roomy(case: Case) -> Case:
    return replace(case, memory_mib=case.memory_mib * 4 if case.memory_mib else None)


def _fault(
    problem: Problem, framework: Framework, case: Case, run: Run, label: Text | str
) -> Text | None:
    """Returns what is wrong with a run of the reference, or None where nothing is."""
    if case.raises:
        if run.ended is Ended.RAISED and run.error and case.raises in run.error.bases:
            return None
        ended = how_it_ended(run, problem, case)
        return T_(" must raise %(due)s, but it %(ended)s", due=case.raises, ended=ended)
    if run.ended is not Ended.RETURNED:
        return T_(" in %(what)s: it %(ended)s", what=label, ended=how_it_ended(run, problem, case))
    if not framework_has(run, case, problem, framework):
        lost = [came(n, dtype) for n, dtype in run.dtypes.items() if n not in run.tensors]
        return T_(": %(lost)s", lost=_listed(lost) if lost else T_("a tensor is missing"))
    return None


def _listed(texts: Sequence[Text | Finding]) -> Text | Finding:
    """Joins texts with commas."""
    first, *rest = texts
    return T_("%(first)s, %(rest)s", first=first, rest=_listed(rest)) if rest else first


def framework_has(run: Run, case: Case, problem: Problem, framework: Framework) -> bool:
    """Did every tensor that the case wants come back?"""
    entry = last_entry(problem, case)
    leaves = {root(name) for name in run.dtypes}
    return set(run.tensors) >= set(run.dtypes) - set(entry.nested) and all(
        name in run.tensors or (name in entry.nested and name in leaves)
        for name in wanted(case, entry, framework)
    )


def came(name: str, dtype: str) -> Text | Finding:
    """What came in the place of a reference's tensor."""
    if dtype.startswith(ABSENT):
        return finding(Code.MISSING, tensor=name, came=what_came(dtype))
    if dtype in CONTAINERS:
        return T_(
            "%(name)s is a %(type)s; join it to one tensor, or say in problem.toml that it holds"
            " several: nested = [\"%(name)s\"], beside 'returns'",
            name=name,
            type=dtype.rpartition(".")[2],
        )
    if dtype == "builtins.str":
        return T_(
            "%(name)s is a text; say so in problem.toml: nested = [\"%(name)s\"], beside 'returns'",
            name=name,
        )
    return T_("%(name)s is %(type)s", name=name, type=dtype)


def how_it_ended(run: Run, problem: Problem, case: Case) -> Text:
    """How a reference's run ended, in a few words."""
    ended = str(run.ended)
    if run.ended in (Ended.BAD_STATE, Ended.DIED, Ended.OUTPUT):
        return T_("ended with %(ended)s: %(why)s", ended=ended, why=ending(run, problem, case))
    if run.ended is Ended.NOT_LOADED:
        return T_("does not load: %(why)s", why=ending(run, problem, case))
    error = run.error or Failure("")
    line = _line(error)
    if run.ended is Ended.RAISED:
        said = f"{error.type}: {error.text}".rstrip(": ")
        return T_("raised %(error)s%(line)s", error=said, line=line)
    said = f"{error.type} {error.text}".rstrip(": " if not line else "")
    if not said.strip() and not line:
        return T_("ended with %(ended)s", ended=ended)
    return T_("ended with %(ended)s: %(error)s%(line)s", ended=ended, error=said, line=line)


def _line(error: Failure) -> Text | str:
    if error.lineno:
        return T_(" (line %(line)d)", line=error.lineno)
    return f" ({error.trace})" if error.trace else ""


def reference_cpu(
    problem: Problem, framework: Framework, case: Case, sandbox: Sandbox, tries: int = CPU_TRIES
) -> float:
    """The least CPU that the reference takes for a case at this moment, in milliseconds."""
    evaluations = [Evaluation([case], T_("its own time"))] * tries
    return min(run.cpu_ms for (run,) in run_reference(problem, framework, sandbox, evaluations))
