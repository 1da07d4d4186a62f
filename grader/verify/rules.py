"""Checks that each rule of the statement has its cases, and that what breaks one rule fails no
other case (rule 10).
"""

from grader.case import Case
from grader.findings.text import T_
from grader.model import Outcome
from grader.problem import Mistake, Problem, did_you_mean
from grader.verify.fitness import Fitness, Matrix


def check_rules(problem: Problem, fitness: Fitness) -> None:
    """Each rule of the statement has its cases, and what breaks one rule fails no other case."""
    names = problem.statement_rules.get("en", ())
    _check_languages(problem, names, fitness)
    cases = {a.case.name: a.case for matrix in fitness.matrices for a in matrix.cases}
    _check_cases(list(cases.values()), names, fitness)
    for matrix in fitness.matrices:
        for mistake in problem.mistakes:
            if mistake.rule and mistake.name in matrix.verdicts:
                _check_mistake(matrix, mistake, names, fitness)


def _check_languages(problem: Problem, names: tuple[str, ...], fitness: Fitness) -> None:
    for language, others in problem.statement_rules.items():
        if len(others) != len(names):
            text = T_(
                "lists %(count)d rules, the English one %(english)d; make them equal",
                count=len(others),
                english=len(names),
            )
            fitness.add(10, f"statement.{language}.md", text)


def _check_cases(cases: list[Case], names: tuple[str, ...], fitness: Fitness) -> None:
    hidden = {case.rule for case in cases if not case.sample}
    for name in names:
        if name not in hidden:
            fitness.add(
                10,
                T_("rule '%(rule)s'", rule=name),
                T_("no hidden case checks it; add one with rule= that name"),
            )
    for case in cases:
        if case.rule and case.rule not in names:
            text = T_(
                "carries the rule '%(rule)s', which statement.md does not list%(meant)s",
                rule=case.rule,
                meant=did_you_mean(case.rule, names),
            )
            fitness.add(10, T_("case '%(case)s'", case=case.name), text)


def _check_mistake(
    matrix: Matrix, mistake: Mistake, names: tuple[str, ...], fitness: Fitness
) -> None:
    where = T_(
        "mistake '%(mistake)s' in %(framework)s", mistake=mistake.name, framework=matrix.framework
    )
    if mistake.rule not in names:
        text = T_(
            "breaks the rule '%(rule)s', which statement.md does not list%(meant)s",
            rule=mistake.rule,
            meant=did_you_mean(mistake.rule, names),
        )
        fitness.add(10, where, text)
        return
    others = _other_cases(matrix, mistake)
    if others:
        text = T_(
            "breaks the rule '%(rule)s' and fails other cases: %(cases)s; let each case check one"
            " rule, or remove the mistake's rule",
            rule=mistake.rule,
            cases=", ".join(f"'{case}'" for case in others),
        )
        fitness.add(10, where, text)


def _other_cases(matrix: Matrix, mistake: Mistake) -> list[str]:
    """Returns the cases that a mistake fails although they check another rule."""
    rules = {answer.case.name: answer.case.rule for answer in matrix.cases}
    return [
        case
        for case, verdict in matrix.verdicts[mistake.name].items()
        if verdict is not Outcome.ACCEPTED and rules[case] != mistake.rule
    ]
