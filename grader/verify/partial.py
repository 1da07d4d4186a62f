"""verify_cases(problem, cases, sandbox) -> Fitness: some cases alone, while an author writes them.

What concerns all cases together is not checked: whether a mistake survives, which hint it is told,
mutants, and the rules of the statement.
"""

from collections.abc import Collection

from grader.answers import Answers, chosen_answers
from grader.errors import ProblemError
from grader.findings.text import told
from grader.model import Framework
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verify.coverage import check_useless
from grader.verify.distances import check_distances
from grader.verify.fitness import Fitness, Matrix
from grader.verify.frameworks import check_frameworks
from grader.verify.inputs.draws import check_cases_differ
from grader.verify.inputs.sizes import check_results, check_sizes
from grader.verify.mistakes import drawn_for_mistakes, judged
from grader.verify.references import check_agreement, check_reference
from grader.verify.right import check_right


def verify_cases(
    problem: Problem,
    cases: Collection[str],
    sandbox: Sandbox,
    seed: int = 0,
    only: Collection[str] = (),
) -> Fitness:
    """Runs the references, the right solutions and the mistakes (`only` these, if any) in these
    cases.

    Raises `UsageError` for a case that cases.py does not yield.
    """
    fitness = Fitness(problem, partial=True)
    check_frameworks(problem, fitness)
    answers: dict[Framework, Answers] = {}
    for framework in problem.frameworks:
        try:
            answers[framework] = chosen_answers(problem, framework, sandbox, seed, cases)
        except ProblemError as error:
            fitness.add(1, str(framework), told(error))
    if len(answers) < len(problem.frameworks):
        return fitness
    check_agreement(problem, answers, fitness)
    for own in answers.values():
        check_reference(problem, own, sandbox, fitness)
        check_right(problem, own, sandbox, fitness)
        check_sizes(problem, own, fitness)
        check_results(problem, own, fitness)
        check_cases_differ(own, fitness)
        _judge(problem, drawn_for_mistakes(own), sandbox, fitness, only)
    if not only and any(not a.case.sample for own in answers.values() for a in own.cases):
        check_useless(problem, fitness)
    return fitness


def _judge(
    problem: Problem, own: Answers, sandbox: Sandbox, fitness: Fitness, only: Collection[str]
) -> None:
    """Notes how these cases judge the mistakes, and how near the nearest one comes."""
    chosen = [
        m for m in problem.mistakes if own.framework in m.sources and (not only or m.name in only)
    ]
    judgements = list(zip(chosen, judged(problem, own, chosen, sandbox), strict=True))
    runs = {mistake.name: ran for mistake, (ran, _) in judgements}
    verdicts = {mistake.name: outcomes for mistake, (_, outcomes) in judgements}
    facts = check_distances(own, runs, fitness, whole=False)
    fitness.matrices.append(Matrix(own.framework, own.cases, verdicts, facts))
