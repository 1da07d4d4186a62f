"""The problems of the bank, each read once in a process: thousands of tests ask for one of them, and
reading one takes six milliseconds.
"""

import functools

from grader.problem import Problem, load, load_bank
from tests import ROOT


@functools.cache
def shipped(slug: str) -> Problem:
    """A problem of the bank; it never changes while the tests run, and nothing can change it."""
    return load(ROOT, slug)


@functools.cache
def whole_bank() -> tuple[Problem, ...]:
    """All of them, in teaching order."""
    return tuple(load_bank(ROOT))
