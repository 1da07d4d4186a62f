"""verify(problem, sandbox) -> Fitness: runs what a problem's folder holds and applies the rules."""

from collections.abc import Callable, Collection, Mapping, Sequence

from grader.answers import Answers, answers_for
from grader.diagnosis.fingerprints import mistake_runs
from grader.errors import ProblemError
from grader.findings.text import T_, told
from grader.model import Framework, Kind, Outcome, Run
from grader.mutation.record import Row
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verify.alike import check_alike
from grader.verify.coverage import check_shortcuts, check_useless
from grader.verify.distances import check_distances
from grader.verify.fitness import Fitness, Matrix
from grader.verify.frameworks import check_frameworks
from grader.verify.inputs.draws import check_cases_differ, check_repeated_draw
from grader.verify.inputs.sizes import check_results, check_sizes
from grader.verify.mistakes import check_mistake, drawn_for_mistakes, judged
from grader.verify.mutants import check_mutants
from grader.verify.references import check_agreement, check_reference
from grader.verify.right import check_right
from grader.verify.rules import check_rules
from grader.verify.starter import check_starter
from grader.verify.texts.settings import check_settings
from grader.verify.texts.statement import check_statements
from grader.verify.texts.words import check_hints, check_translations

Progress = Callable[[str], None]


def verify(
    problem: Problem,
    sandbox: Sandbox,
    seed: int = 0,
    progress: Progress = lambda step: None,
    only: Collection[str] = (),
    known: Collection[str] | None = None,
    counted: Sequence[Row] = (),
) -> Fitness:
    """Run everything that the problem's folder holds, in the room, and apply the rules.

    With `only`, these mistakes alone are judged, and what concerns all mistakes together is not
    checked. `known` are the slugs that may be required; None: any. `counted` are the counts of
    mutants that `grade mutants` has written. Never raises for a problem's own faults.
    """
    fitness = Fitness(problem, partial=bool(only))
    check_hints(problem, fitness)
    check_frameworks(problem, fitness)
    if not problem.runnable:
        return fitness
    answers = _answers(problem, sandbox, seed, progress, fitness)
    _check_texts(problem, answers, known, fitness)
    if len(answers) < len(problem.frameworks):
        return fitness
    check_agreement(problem, answers, fitness)
    check_repeated_draw(problem, answers[problem.frameworks[0]], sandbox, fitness)
    runs: dict[Framework, dict[str, Mapping[str, Run]]] = {}
    drawn = {framework: drawn_for_mistakes(own) for framework, own in answers.items()}
    for framework, own in answers.items():
        _check_right_ones(problem, own, sandbox, fitness)
        runs[framework] = _matrix(problem, drawn[framework], sandbox, progress, fitness, only)
        check_shortcuts(problem, own, fitness)
        progress(f"{problem.slug}, {framework}: mutants")
        check_mutants(problem, own, sandbox, seed, counted, fitness)
    check_translations(problem, fitness)
    check_rules(problem, fitness)
    if not only:
        check_useless(problem, fitness)
        check_alike(problem, drawn, runs, fitness)
    return fitness


def _check_texts(
    problem: Problem,
    answers: Mapping[Framework, Answers],
    known: Collection[str] | None,
    fitness: Fitness,
) -> None:
    """What is checked without running a solution, as far as there are cases."""
    cases = {a.case.name: a.case for own in answers.values() for a in own.cases}
    check_settings(problem, list(cases.values()), known, fitness)
    if answers:
        check_statements(problem, list(cases.values()), fitness)
    if len(problem.declared) == 1 and not problem.right and problem.kind is not Kind.VALUES:
        framework = problem.frameworks[0]
        text = T_(
            "is the only evaluation, so a fault in it is the answer; add another right solution as"
            " right/NAME_%(framework)s.py",
            framework=framework,
        )
        fitness.warn(1, f"reference/{problem.slug}/{framework}.py", text)


def _answers(
    problem: Problem, sandbox: Sandbox, seed: int, progress: Progress, fitness: Fitness
) -> dict[Framework, Answers]:
    answers = {}
    for framework in problem.frameworks:
        progress(f"{problem.slug}, {framework}: answers")
        try:
            answers[framework] = answers_for(problem, framework, sandbox, seed)
        except ProblemError as error:
            fitness.add(1, str(framework), told(error))
    return answers


def _check_right_ones(problem: Problem, own: Answers, sandbox: Sandbox, fitness: Fitness) -> None:
    """Checks what one framework's reference and other right solutions do in the hidden cases."""
    check_reference(problem, own, sandbox, fitness)
    check_starter(problem, own, sandbox, fitness)
    check_right(problem, own, sandbox, fitness)
    check_sizes(problem, own, fitness)
    check_results(problem, own, fitness)
    check_cases_differ(own, fitness)


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
    progress(f"{problem.slug}, {framework}: mistakes")
    known = None if answers.seed else mistake_runs(problem, answers, sandbox)
    judgements = judged(problem, answers, chosen, sandbox, known)
    for mistake, (ran, outcomes) in zip(chosen, judgements, strict=True):
        progress(f"{problem.slug}, {framework}: mistake {mistake.name}")
        check_mistake(problem, answers, mistake, outcomes, sandbox, fitness)
        runs[mistake.name], verdicts[mistake.name] = ran, outcomes
    facts = check_distances(answers, runs, fitness)
    fitness.matrices.append(Matrix(framework, answers.cases, verdicts, facts))
    return runs
