"""Mutants of a reference: what its cases refuse, and whether what they accept is really right.

It may know the sandbox, the answers and how a case is judged. A mutant is a small syntactic change
of a reference. One that every case accepts is compared with the reference on many inputs from the
problem's declared domain: it is equivalent, or a survivor (docs/design/mutants.md).
"""

from grader.mutation.domain import declares_domain
from grader.mutation.mutant import Mutant
from grader.mutation.mutants import mutants
from grader.mutation.run import Counts, Survivor, sample, survey

__all__ = ["Counts", "Mutant", "Survivor", "declares_domain", "mutants", "sample", "survey"]
