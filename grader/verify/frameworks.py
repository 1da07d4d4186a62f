"""Checks that the frameworks of a problem are installed here; what is not cannot be verified."""

from grader.findings.text import T_
from grader.frameworks import INSTALL, TITLES
from grader.problem import Problem
from grader.verify.fitness import Fitness


def check_frameworks(problem: Problem, fitness: Fitness) -> None:
    """Advises to verify again with what is missing; without any framework, nothing is verified."""
    for framework in problem.missing:
        text = T_(
            "was not verified, nor were the mistakes in it: %(title)s is not installed here;"
            " install it and verify again: %(command)s",
            title=TITLES[framework],
            command=INSTALL,
        )
        note = fitness.warn if problem.runnable else fitness.add
        note(1, f"reference/{problem.slug}/{framework}.py", text)
