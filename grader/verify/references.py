"""Checks the references: they agree, pass with room to spare (rules 1, 7) and repeat (rule 6)."""

from collections.abc import Mapping

import numpy as np

from grader.answers import SMALL, Answer, Answers, Evaluation, run_reference
from grader.case import Case
from grader.comparison.compare import Expected
from grader.errors import ProblemError
from grader.findings.text import T_, told
from grader.model import Framework, Outcome, Run
from grader.problem import Problem
from grader.sandbox import Job, Sandbox
from grader.verdict.outcome import Judgement, judge_case
from grader.verdict.timed import room_limits, timed_runs
from grader.verify.distances import STATISTIC_ROOM, distance, largest, room_of
from grader.verify.fitness import Fitness

# of the largest value: how far two references may be apart in float64. Not of the tolerance, which
# grows with it
AGREEMENT = 1e-6
SEED = 11  # of random draws: not that of the answers


def check_agreement(
    problem: Problem, answers: Mapping[Framework, Answers], fitness: Fitness
) -> None:
    """The references of all frameworks give the same answers."""
    first, *others = problem.frameworks
    known = {a.case.name: a for a in answers[first].cases}
    for framework in others:
        for answer in answers[framework].cases:
            theirs = known.get(answer.case.name)
            for name in _disagreeing(theirs, answer) if theirs else ():
                text = T_(
                    "the references in %(first)s and %(framework)s disagree on"
                    " %(tensor)s; one of them is wrong",
                    first=first,
                    framework=framework,
                    tensor=name,
                )
                fitness.add(1, T_("case '%(case)s'", case=answer.case.name), text)


def _disagreeing(theirs: Answer, ours: Answer) -> list[str]:
    return [
        name
        for name, expected in ours.expected.items()
        if name in theirs.expected
        and not _agree(theirs.expected[name].values, expected, ours.case.draws)
    ]


def _agree(theirs: np.ndarray, ours: Expected, draws: int) -> bool:
    room = (
        ours.tolerance / STATISTIC_ROOM if draws else AGREEMENT * max(largest(ours.values), SMALL)
    )
    return theirs.shape == ours.values.shape and distance(theirs, ours.values) <= room


def check_reference(problem: Problem, answers: Answers, sandbox: Sandbox, fitness: Fitness) -> None:
    """The reference is accepted with room to spare, and two runs of it are equal."""
    where = f"reference/{problem.slug}/{answers.framework}.py"
    job = Job(
        problem.references[answers.framework],
        answers.framework,
        problem.kind,
        problem.entries,
        tuple(a.case for a in answers.cases),
        problem.limits,
        problem.rules,
        seed=SEED,
        cpu_ms=room_limits(answers),
        driver=problem.driver,
    )
    runs = []
    for answer, run, limit in timed_runs(problem, job, answers, answers.cases, sandbox):
        runs.append(run)
        result = judge_case(problem, answers.framework, answer, run, limit)
        if result.verdict is not Outcome.ACCEPTED:
            _add_refused(where, answer.case, result, fitness)
            continue
        _check_error(where, answer, run, fitness)
        _check_usage(problem, where, answer.case, run, fitness)
    _check_repeatable(problem, answers, runs, sandbox, fitness)


def _add_refused(where: str, case: Case, result: Judgement, fitness: Fitness) -> None:
    text = T_(
        "case '%(case)s': %(verdict)s: %(text)s",
        case=case.name,
        verdict=result.verdict,
        text=result.findings[0] if result.findings else "",
    )
    fitness.add(1, where, text)


def _check_error(where: str, answer: Answer, run: Run, fitness: Fitness) -> None:
    room = room_of(answer)
    for name, expected in answer.expected.items():
        error = distance(run.tensors[name], expected.values)
        if error > expected.tolerance / room and expected.tolerance > 0:
            text = T_(
                "case '%(case)s': %(tensor)s is off by %(error)s, over 1/%(room)s of the"
                " tolerance %(tolerance)s",
                case=answer.case.name,
                tensor=name,
                error=f"{error:.2g}",
                room=f"{room:g}",
                tolerance=f"{expected.tolerance:.2g}",
            )
            fitness.add(1, where, text)


def _check_usage(problem: Problem, where: str, case: Case, run: Run, fitness: Fitness) -> None:
    limits = problem.limits
    memory = case.memory_mib or limits.memory_mib
    if run.memory_mib > memory / 2 or run.wall_ms > limits.wall_s * 500:
        used = T_(
            "%(memory)d of %(limit)d MiB and %(seconds).1f of %(wall)s s",
            memory=round(run.memory_mib),
            limit=memory,
            seconds=run.wall_ms / 1e3,
            wall=f"{limits.wall_s:g}",
        )
        text = T_("case '%(case)s': %(used)s; over half", case=case.name, used=used)
        fitness.add(7, where, text)


def _check_repeatable(
    problem: Problem, answers: Answers, runs: list[Run], sandbox: Sandbox, fitness: Fitness
) -> None:
    """A second run, with the same random draws, gives what the first one gave."""
    second = Evaluation([a.case for a in answers.cases], T_("a second run"), SEED)
    try:
        (again,) = run_reference(problem, answers.framework, sandbox, [second])
    except ProblemError as error:
        fitness.add(6, f"reference/{problem.slug}/{answers.framework}.py", told(error))
        return
    for one, two in zip(runs, again, strict=True):
        if one.ended is two.ended and not _equal(one, two):
            text = T_(
                "two runs of the %(framework)s reference differ; seed what is random",
                framework=answers.framework,
            )
            fitness.add(6, T_("case '%(case)s'", case=one.case), text)


def _equal(one: Run, two: Run) -> bool:
    return all(
        np.array_equal(tensor, two.tensors[name], equal_nan=tensor.dtype.kind == "f")
        for name, tensor in one.tensors.items()
    )
