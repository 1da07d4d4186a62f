"""Checks what `cases.py` yields: the same for one seed (rule 6), and no case twice (rule 4)."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from grader import storage
from grader.answers import Answers, generate_anew
from grader.case import ARRAYS, Case
from grader.errors import ProblemError
from grader.findings.text import T_, told
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verify.fitness import Fitness

NEAR = 1e-3  # of the range of an array: what two cases may differ by and still be one
PLAIN = ("call", "then", "init", "options", "wants", "layout", "raises", "train", "draws")
LIMITED = ("memory_mib", "cpu_factor", "nested")


def check_repeated_draw(
    problem: Problem, answers: Answers, sandbox: Sandbox, fitness: Fitness
) -> None:
    """`cases.py` yields the same cases whenever it is run with one seed."""
    try:
        seed = storage.public_seed(problem.slug)
        again = generate_anew(problem, answers.framework, sandbox, seed)
    except ProblemError as error:
        fitness.add(6, "cases.py", told(error))
        return
    known = {name: answer.case for name, answer in answers.twins.items()}
    for case in again:
        if case.name in known and not same(known[case.name], case, 0.0):
            text = T_(
                "case '%(case)s' is another one when the file runs again with the same seed; draw"
                " from `rng` alone, never from np.random, the clock or a set",
                case=case.name,
            )
            fitness.add(6, "cases.py", text)
            return


def check_cases_differ(answers: Answers, fitness: Fitness) -> None:
    """No two cases pass the same, or nearly the same."""
    for one, two in combinations([answer.case for answer in answers.cases], 2):
        if same(one, two, NEAR):
            text = T_(
                "passes the same as case '%(other)s', or nearly the same; draw other values, or"
                " drop one of them",
                other=one.name,
            )
            fitness.add(4, T_("case '%(case)s'", case=two.name), text)


def same(one: Case, two: Case, room: float) -> bool:
    """Do two cases make the same calls, with arrays within `room` of their range?"""
    return all(getattr(one, name) == getattr(two, name) for name in (*PLAIN, *LIMITED)) and all(
        _same_arrays(getattr(one, name), getattr(two, name), room) for name in ARRAYS
    )


def _same_arrays(one: Mapping[str, np.ndarray], two: Mapping[str, np.ndarray], room: float) -> bool:
    return one.keys() == two.keys() and all(_near(one[name], two[name], room) for name in one)


def _near(one: np.ndarray, two: np.ndarray, room: float) -> bool:
    if one.shape != two.shape or one.dtype != two.dtype:
        return False
    if np.array_equal(one, two, equal_nan=one.dtype.kind == "f"):
        return True
    if one.dtype.kind != "f" or not room or not (np.isfinite(one) & np.isfinite(two)).all():
        return False
    return float(np.abs(one - two).max()) <= room * float(np.ptp(one))
