"""Checks that the hidden cases refuse trivial answers (rule 3), and that each detects a mistake
(rule 4).
"""

from grader.answers import Answer, Answers
from grader.comparison.compare import compare
from grader.findings.text import T_
from grader.inside.frames import DTYPES
from grader.model import Kind, Outcome
from grader.problem import Problem
from grader.verify.baselines import BASELINES, baseline
from grader.verify.fitness import Fitness


def check_shortcuts(problem: Problem, answers: Answers, fitness: Fitness) -> None:
    """No trivial answer is accepted by every hidden case."""
    judged = [
        answer
        for answer in answers.cases
        if not answer.case.raises and (problem.kind is Kind.VALUES or not answer.case.sample)
    ]
    for name in BASELINES:
        if not any(_refuses(answer, name) for answer in judged):
            where = T_(
                "shortcut '%(shortcut)s' in %(framework)s",
                shortcut=name,
                framework=answers.framework,
            )
            fitness.add(3, where, T_("is accepted by every hidden case; add one that it fails"))


def _refuses(answer: Answer, name: str) -> bool:
    """Does the case refuse a trivial answer?"""
    for tensor, expected in answer.expected.items():
        given = baseline(name, tensor, answer)
        if expected.dtype in DTYPES:
            given = given.astype(expected.dtype)
        if compare(tensor, given, expected.dtype, expected):
            return True
    return False


def check_useless(problem: Problem, fitness: Fitness) -> None:
    """Every hidden case kills a mistake, and there is a hidden case.

    What a case kills in a framework that is not installed is not known.
    """
    kills: dict[str, int] = {}
    for matrix in fitness.matrices:
        for answer in matrix.cases:
            name = answer.case.name
            if not answer.case.sample:
                killed = [v is not Outcome.ACCEPTED for v in matrix.of(name)]
                kills[name] = kills.get(name, 0) + sum(killed)
    for name, count in kills.items():
        if not count and not problem.missing:
            text = T_("kills no mistake; add the mistake that it is there for, or drop the case")
            fitness.add(4, T_("case '%(case)s'", case=name), text)
    if not kills and problem.kind is not Kind.VALUES:
        fitness.add(4, "cases.py", T_("has no hidden case"))
