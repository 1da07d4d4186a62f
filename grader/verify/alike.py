"""Checks that no two known mistakes look alike in every case (rule 5)."""

from collections.abc import Mapping
from itertools import combinations

from grader.answers import Answer, Answers
from grader.diagnosis.equality import same_tensors
from grader.findings.text import T_
from grader.model import Ended, Framework, Outcome, Run
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
    told = {f: _Told(problem, answers[f], runs[f]) for f in problem.frameworks}
    for one, two in combinations([m.name for m in problem.mistakes], 2):
        shared = [f for f in problem.frameworks if one in runs[f] and two in runs[f]]
        if shared and all(told[f].alike(one, two) for f in shared):
            fitness.add(
                5,
                T_("mistakes '%(one)s' and '%(two)s'", one=one, two=two),
                T_("are alike in every case; merge them or add a case that tells them apart"),
            )


class _Told:
    """The runs of the mistakes in one framework; each is judged once."""

    def __init__(
        self, problem: Problem, answers: Answers, runs: Mapping[str, Mapping[str, Run]]
    ) -> None:
        self._problem, self._answers, self._runs = problem, answers, runs
        self._verdicts: dict[tuple[str, str], Outcome] = {}

    def alike(self, one: str, two: str) -> bool:
        """Are two mistakes the same in every case in which both ran?"""
        ran = self._runs[one].keys() & self._runs[two].keys()
        both = (a for a in self._answers.cases if a.case.name in ran)
        return all(self._same(a, one, two) for a in both)

    def _same(self, answer: Answer, one: str, two: str) -> bool:
        a, b = (self._runs[name][answer.case.name] for name in (one, two))
        if a.ended is not b.ended or self._verdict(answer, one) is not self._verdict(answer, two):
            return False
        if a.ended is Ended.RETURNED:
            return same_tensors(a, b, answer)
        return (a.error.type if a.error else "") == (b.error.type if b.error else "")

    def _verdict(self, answer: Answer, name: str) -> Outcome:
        place = name, answer.case.name
        if place not in self._verdicts:
            run, framework = self._runs[name][answer.case.name], self._answers.framework
            judgement = judge_case(self._problem, framework, answer, run, brief=True)
            self._verdicts[place] = judgement.verdict
        return self._verdicts[place]
