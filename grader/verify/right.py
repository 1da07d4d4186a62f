"""Checks that other right solutions of the folder right/ are accepted (rule 1)."""

from grader.answers import Answers
from grader.findings.text import T_
from grader.model import Outcome
from grader.problem import Problem, Right
from grader.sandbox import Job, Sandbox
from grader.verdict.outcome import judge_case
from grader.verdict.timed import room_limits, timed_runs
from grader.verify.fitness import Fitness


def check_right(problem: Problem, answers: Answers, sandbox: Sandbox, fitness: Fitness) -> None:
    """Every right solution in this framework is accepted in every case."""
    for right in problem.right:
        if right.framework is answers.framework:
            _check(problem, answers, right, sandbox, fitness)


def _check(
    problem: Problem, answers: Answers, right: Right, sandbox: Sandbox, fitness: Fitness
) -> None:
    job = Job(
        right.source,
        right.framework,
        problem.kind,
        problem.entries,
        tuple(a.case for a in answers.cases),
        problem.limits,
        problem.rules,
        seed=11,
        cpu_ms=room_limits(answers),
        driver=problem.driver,
    )
    where = T_(
        "right solution '%(name)s' in %(framework)s", name=right.name, framework=right.framework
    )
    for answer, run, limit in timed_runs(problem, job, answers, answers.cases, sandbox):
        name = answer.case.name
        judged = judge_case(problem, right.framework, answer, run, limit, brief=True)
        if judged.verdict is not Outcome.ACCEPTED:
            text = T_(
                "is a right solution, and fails case '%(case)s' with %(verdict)s; correct the case,"
                " the reference or the solution",
                case=name,
                verdict=judged.verdict,
            )
            fitness.add(1, where, text)
