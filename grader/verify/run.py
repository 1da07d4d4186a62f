"""verify(problem, sandbox) -> Fitness: runs what a problem's folder holds and applies the rules."""

from collections.abc import Callable, Collection, Mapping

from grader.answers import Answers, answers_for
from grader.errors import ProblemError
from grader.model import Framework, Outcome, Run
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verify.alike import check_alike
from grader.verify.coverage import check_shortcuts, check_useless
from grader.verify.distances import check_distances
from grader.verify.fitness import Fitness, Matrix
from grader.verify.mistakes import check_mistake, judged
from grader.verify.mutants import check_mutants
from grader.verify.references import check_agreement, check_reference
from grader.verify.right import check_right
from grader.verify.rules import check_rules
from grader.verify.sizes import check_sizes
from grader.verify.starter import check_starter
from grader.verify.words import check_hints, check_translations

Progress = Callable[[str], None]


def verify(
    problem: Problem,
    sandbox: Sandbox,
    seed: int = 0,
    progress: Progress = lambda step: None,
    only: Collection[str] = (),
) -> Fitness:
    """Run everything that the problem's folder holds, in the room, and apply the rules.

    With `only`, these mistakes alone are judged, and what concerns all mistakes together is not
    checked. Never raises for a problem's own faults.
    """
    fitness = Fitness(problem)
    check_hints(problem, fitness)
    answers = _answers(problem, sandbox, seed, progress, fitness)
    if len(answers) < len(problem.frameworks):
        return fitness
    check_agreement(problem, answers, fitness)
    runs: dict[Framework, dict[str, Mapping[str, Run]]] = {}
    for framework, own in answers.items():
        check_reference(problem, own, sandbox, fitness)
        check_starter(problem, own, sandbox, fitness)
        check_right(problem, own, sandbox, fitness)
        check_sizes(problem, own, fitness)
        runs[framework] = _matrix(problem, own, sandbox, progress, fitness, only)
        check_shortcuts(problem, own, fitness)
        progress(f"{problem.slug}, {framework}: mutants")
        check_mutants(problem, own, sandbox, seed, fitness)
    check_translations(problem, fitness)
    check_rules(problem, fitness)
    if not only:
        check_useless(problem, fitness)
        check_alike(problem, answers, runs, fitness)
    return fitness


def _answers(
    problem: Problem, sandbox: Sandbox, seed: int, progress: Progress, fitness: Fitness
) -> dict[Framework, Answers]:
    answers = {}
    for framework in problem.frameworks:
        progress(f"{problem.slug}, {framework}: answers")
        try:
            answers[framework] = answers_for(problem, framework, sandbox, seed)
        except ProblemError as error:
            fitness.add(1, str(framework), str(error))
    return answers


def _matrix(
    problem: Problem,
    answers: Answers,
    sandbox: Sandbox,
    progress: Progress,
    fitness: Fitness,
    only: Collection[str],
) -> dict[str, Mapping[str, Run]]:
    """Judges every mistake, notes the kill matrix, and returns the runs by mistake and case."""
    framework = answers.framework
    runs: dict[str, Mapping[str, Run]] = {}
    verdicts: dict[str, dict[str, Outcome]] = {}
    chosen = [
        m for m in problem.mistakes if framework in m.sources and (not only or m.name in only)
    ]
    found = judged(problem, answers, chosen, sandbox)
    for mistake, (ran, outcomes) in zip(chosen, found, strict=True):
        progress(f"{problem.slug}, {framework}: mistake {mistake.name}")
        check_mistake(problem, answers, mistake, outcomes, sandbox, fitness)
        runs[mistake.name], verdicts[mistake.name] = ran, outcomes
    facts = check_distances(answers, runs, fitness)
    fitness.matrices.append(Matrix(framework, answers.cases, verdicts, facts))
    return runs
