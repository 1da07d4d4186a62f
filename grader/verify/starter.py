"""Checks that a starter loads and is not accepted as it is (rule 2)."""

from grader.answers import Answers
from grader.findings.text import T_
from grader.model import Kind, Outcome
from grader.problem import Problem
from grader.sandbox import Job, Sandbox
from grader.verdict.outcome import Judgement, judge_case
from grader.verify.fitness import Fitness


def check_starter(problem: Problem, answers: Answers, sandbox: Sandbox, fitness: Fitness) -> None:
    """A starter leaves the work to the learner, and loads."""
    where = f"starter_{answers.framework}.py"
    results = _judged(problem, answers, sandbox)
    if all(result.verdict is Outcome.ACCEPTED for result in results):
        text = T_("is accepted as it is; it must leave the work to the learner")
        fitness.add(2, where, text)
    unloaded = (Outcome.COMPILE_ERROR, Outcome.RULE_VIOLATION)
    refused = [result for result in results if result.verdict in unloaded]
    if refused and problem.kind is not Kind.VALUES:
        verdict, findings = refused[0].verdict, refused[0].findings
        text = T_(
            "does not load: %(verdict)s: %(text)s",
            verdict=verdict,
            text=findings[0] if findings else "",
        )
        fitness.add(2, where, text)


def _judged(problem: Problem, answers: Answers, sandbox: Sandbox) -> list[Judgement]:
    job = Job(
        problem.starters[answers.framework],
        answers.framework,
        problem.kind,
        problem.entries,
        tuple(a.case for a in answers.cases),
        problem.limits,
        problem.rules,
        driver=problem.driver,
    )
    runs = list(sandbox.run(job))
    return [
        judge_case(problem, answers.framework, answer, run, brief=True)
        for answer, run in zip(answers.cases, runs, strict=True)
    ]
