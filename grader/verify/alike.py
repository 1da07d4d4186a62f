"""Checks that no two known mistakes look alike in every case (rule 5)."""

from collections.abc import Mapping
from itertools import combinations

from grader.answers import Answer, Answers
from grader.diagnosis.equality import same_tensors
from grader.findings.text import T_
from grader.model import Ended, Framework, Run
from grader.problem import Problem
from grader.verdict.outcome import judge_case
from grader.verify.fitness import Fitness


def check_alike(
    problem: Problem,
    answers: Mapping[Framework, Answers],
    runs: Mapping[Framework, Mapping[str, Mapping[str, Run]]],
    fitness: Fitness,
) -> None:
    """Any two mistakes differ in some case of some framework that has both."""
    for one, two in combinations([m.name for m in problem.mistakes], 2):
        shared = [f for f in problem.frameworks if one in runs[f] and two in runs[f]]
        if shared and all(_alike(problem, answers[f], runs[f][one], runs[f][two]) for f in shared):
            fitness.add(
                5,
                T_("mistakes '%(one)s' and '%(two)s'", one=one, two=two),
                T_("are alike in every case; merge them or add a case that tells them apart"),
            )


def _alike(
    problem: Problem, answers: Answers, one: Mapping[str, Run], two: Mapping[str, Run]
) -> bool:
    """Are two mistakes the same in every case in which both ran?"""
    both = (a for a in answers.cases if a.case.name in one.keys() & two.keys())
    return all(
        _same(problem, answers.framework, a, one[a.case.name], two[a.case.name]) for a in both
    )


def _same(problem: Problem, framework: Framework, answer: Answer, a: Run, b: Run) -> bool:
    verdicts = [judge_case(problem, framework, answer, run, brief=True).verdict for run in (a, b)]
    if verdicts[0] is not verdicts[1] or a.ended is not b.ended:
        return False
    if a.ended is Ended.RETURNED:
        return same_tensors(a, b, answer)
    return (a.error.type if a.error else "") == (b.error.type if b.error else "")
