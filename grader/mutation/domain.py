"""Inputs from a problem's declared domain, with the reference's answers in float64.

`domain(rng)` in cases.py yields cases as `cases(rng)` does, of any size, shape and value that the
statement allows. A problem without one is asked with other draws of its cases.
"""

import ast
from dataclasses import replace

from grader.answers import Answer, answers_of, generate, plain
from grader.case import Case
from grader.model import Framework
from grader.problem import Problem
from grader.sandbox import Sandbox

CALLED = "\n\ncases = domain\n"  # behind cases.py: the room runs what is called `cases`
FIRST_DRAW = 1 << 20  # seeds of draws that no installation judges with on purpose


def declares_domain(problem: Problem) -> bool:
    """Has the problem's cases.py a function `domain`?"""
    body = ast.parse(problem.cases).body
    return any(isinstance(node, ast.FunctionDef) and node.name == "domain" for node in body)


def domain_answers(
    problem: Problem, framework: Framework, sandbox: Sandbox, draws: int
) -> list[Answer]:
    """Returns inputs of some draws with their answers. Raises `ProblemError`."""
    cases: list[Case] = []
    for draw in range(FIRST_DRAW, FIRST_DRAW + draws):
        drawn = generate(problem, framework, sandbox, draw)
        if declares_domain(problem):
            wider = replace(problem, cases=problem.cases + CALLED)
            drawn += generate(wider, framework, sandbox, draw)
        cases += [replace(case, name=f"{case.name}, draw {draw - FIRST_DRAW}") for case in drawn]
    return answers_of(problem, framework, sandbox, [case for case in cases if plain(case)])
