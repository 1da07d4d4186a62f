"""Looks for the simplest case that fails as a given one does: greedily, one simplification after
another, as long as the failure stays the same.
"""

import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from grader.answers import Answer
from grader.case import Case
from grader.explore import simplify
from grader.explore.domain import Domain
from grader.explore.reference import Reference
from grader.model import Ended, Framework, Outcome, Run
from grader.problem import Problem
from grader.verdict.outcome import Judgement, judge_case

ROUNDS = 3  # of cutting sizes; each may make room for the others
START = (1, 2, 3)  # to which all sizes are cut at once, before each by itself

Ask = Callable[[Case], Run]
Kind = tuple[Outcome, str, str, int | None]  # verdict, last finding, type and line of the error


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that fails: what was expected, what happened, and how it is judged."""

    answer: Answer
    run: Run
    judgement: Judgement

    @property
    def case(self) -> Case:
        """The case."""
        return self.answer.case

    @property
    def kind(self) -> Kind:
        """What stays the same while a case is made simpler."""
        code = str(self.judgement.findings[-1].code) if self.judgement.findings else ""
        error = self.run.error
        if self.run.ended is not Ended.RAISED or error is None:
            return self.judgement.verdict, code, "", None
        return self.judgement.verdict, code, error.type, error.lineno


def judged(
    problem: Problem, framework: Framework, answer: Answer, run: Run, brief: bool = False
) -> Failure | None:
    """Returns the failure of a case, None where it passes."""
    judgement = judge_case(problem, framework, answer, run, brief=brief)
    if judgement.verdict is Outcome.ACCEPTED:
        return None
    return Failure(answer, run, judgement)


class Search:
    """The simplest failure so far, and what it takes to try another case.

    It ends, whatever it has, after so many calls or at the deadline.
    """

    def __init__(
        self,
        problem: Problem,
        framework: Framework,
        domain: Domain,
        start: Failure,
        ask: Ask,
        reference: Reference,
        calls: int,
        deadline: float,
    ) -> None:
        self.domain, self.best, self.taken = domain, start, [start]
        self.left, self._deadline = calls, deadline
        self._problem, self._framework = problem, framework
        self._ask, self._reference = ask, reference
        self._origin, self._kind = start.case, start.kind
        self._tried = {_digest(start.case)}

    @property
    def over(self) -> bool:
        """Returns whether nothing more may be tried."""
        return self.left <= 0 or time.monotonic() > self._deadline

    def take(self, case: Case) -> bool:
        """Tries a case, and keeps it if it fails in the same way."""
        if self.over or (digest := _digest(case)) in self._tried:
            return False
        self._tried.add(digest)
        if not self.domain.allows(case, self._origin):
            return False
        failure = self._fails(case)
        if failure is None:
            return False
        self.best = failure
        self.taken.append(failure)
        return True

    def _fails(self, case: Case) -> Failure | None:
        self.left -= 1
        run = self._ask(case)
        if run.ended is not self.best.run.ended or not run.executed:
            return None

        def suspect(answer: Answer) -> bool:
            return self._same(answer, run) is not None

        answer = self._reference.answer(case, suspect)
        return None if answer is None else self._same(answer, run)

    def _same(self, answer: Answer, run: Run) -> Failure | None:
        failure = judged(self._problem, self._framework, answer, run, brief=True)
        return failure if failure is not None and failure.kind == self._kind else None


def simplest(search: Search) -> None:
    """Makes the case of a search as simple as it can: arguments, sizes, then values."""
    _drop(search)
    for most in START:
        case = simplify.capped(search.best.case, search.domain, most)
        if case is not None and search.take(case):
            break
    for _ in range(ROUNDS):
        before = search.best
        _cut(search)
        _lower(search)
        _drop(search)
        if search.best is before:
            break
    _round(search)
    _fill(search, 0)
    _fill(search, 1)
    _cut(search)


def _drop(search: Search) -> None:
    while any(search.take(case) for case in simplify.without(search.best.case, search.domain)):
        pass


def _cut(search: Search) -> None:
    sizes = simplify.sizes_of(search.best.case, search.domain)
    for letter in sorted(sizes, key=lambda letter: -sizes[letter]):
        while _cut_one(search, letter):
            pass


def _cut_one(search: Search, letter: str) -> bool:
    case, domain = search.best.case, search.domain
    size = simplify.sizes_of(case, domain).get(letter, 0)
    smallest = simplify.least(letter, domain)
    if size <= smallest:
        return False
    return any(
        search.take(simplify.cut(case, domain, letter, keep))
        for keep in simplify.keeps(size, smallest)
    )


def _lower(search: Search) -> None:
    _first_of_each(search, lambda case: simplify.lower_integers(case, search.domain))


def _round(search: Search) -> None:
    _first_of_each(search, simplify.rounder)


def _first_of_each(search: Search, changes: Callable[[Case], Iterable[tuple[str, Case]]]) -> None:
    """For each argument that can be changed, takes the first change that still fails."""
    for name in dict.fromkeys(name for name, _ in changes(search.best.case)):
        cases = (case for other, case in changes(search.best.case) if other == name)
        any(search.take(case) for case in cases)


def _fill(search: Search, value: int) -> None:
    """Sets whole arrays to a value, or single entries of small ones.

    A mask is only ever set to True, so that it hides less.
    """
    for name, array in search.best.case.tensors().items():
        if not array.size or (array.dtype.kind == "b" and not value):
            continue
        whole = simplify.with_array(search.best.case, name, np.full_like(array, value))
        if not search.take(whole) and array.size <= simplify.MANY:
            for index in np.flatnonzero(_open(array, value)):
                search.take(simplify.with_entry(search.best.case, name, int(index), value))


def _open(array: np.ndarray, value: int) -> np.ndarray:
    """Which entries to set: none that is 0 or 1 already, but False becomes True."""
    return np.asarray(array != value) if array.dtype.kind == "b" else (array != 0) & (array != 1)


def _digest(case: Case) -> bytes:
    whole = hashlib.blake2b(digest_size=16)
    for name, array in case.tensors().items():
        whole.update(f"{name} {array.dtype} {array.shape}".encode())
        whole.update(np.ascontiguousarray(array).data)
    whole.update(repr((case.options, case.init, case.layout, case.wants)).encode())
    return whole.digest()
