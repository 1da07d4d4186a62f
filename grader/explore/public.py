"""The cases of a problem that may be explained: samples, and public twins of hidden cases.

Whoever explores gets cases from here only. A hidden case in which nothing is drawn has no twin, so
it is not among them.
"""

import difflib

from grader.answers import Answer, answers_for
from grader.explore.complaints import InputError, Wrong, complaint
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


def public_case(problem: Problem, framework: Framework, sandbox: Sandbox, name: str) -> Answer:
    """Returns the sample or public twin of that name.

    Raises `InputError` where no case has the name, or nothing is drawn in it and it is hidden.
    """
    answers = answers_for(problem, framework, sandbox)
    if name in answers.twins:
        return answers.twins[name]
    if name in (answer.case.name for answer in answers.cases):
        raise InputError(complaint(Wrong.HIDDEN_CASE, problem=problem.slug, name=name))
    near = difflib.get_close_matches(name, answers.twins, n=3)
    known = ", ".join(f"'{each}'" for each in dict.fromkeys([*near, *answers.twins]))
    raise InputError(complaint(Wrong.NO_SUCH_CASE, problem=problem.slug, name=name, known=known))
