"""Checks that a problem is publishable: the kill matrix and its rules (docs/problem-format.md).

It may know everything below the command line. A problem is publishable when nothing wrong survives
it, nothing right is refused, and every failing learner can be told which mistake it is.
"""

from grader.verify.fitness import CaseFacts, Finding, Fitness, Matrix
from grader.verify.partial import verify_cases
from grader.verify.run import verify

__all__ = ["CaseFacts", "Finding", "Fitness", "Matrix", "verify", "verify_cases"]
