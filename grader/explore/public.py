"""The cases of a problem that may be explained: samples, and public twins of hidden cases.

Whoever explores gets cases from here only. A hidden case in which nothing is drawn has no twin, so
it is not among them.
"""

from grader.answers import Answer, answers_for
from grader.model import Framework, Kind
from grader.problem import Problem
from grader.sandbox import Sandbox


def public_cases(problem: Problem, framework: Framework, sandbox: Sandbox) -> tuple[Answer, ...]:
    """Returns samples and public twins with their answers, in the order of `cases.py`.

    Raises `ProblemError` when the problem's own code fails.
    """
    answers = answers_for(problem, framework, sandbox)
    names = [answer.case.name for answer in answers.cases]
    return tuple(answers.twins[name] for name in names if name in answers.twins)


def takes_inputs(problem: Problem, public: tuple[Answer, ...]) -> bool:
    """Returns whether answers to inputs of one's own give nothing away.

    Where nothing is drawn in any hidden case, each answer is a constant that a submission could
    return; there, whoever may ask the reference needs no solution.
    """
    return problem.kind is not Kind.VALUES and any(not each.case.sample for each in public)
