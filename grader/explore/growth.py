"""Makes larger cases out of a public case: the entries of its sequences are repeated.

Repeated entries keep every value, mask and dtype that the statement allows. What comes out is of no
interest here, only how long it takes and how much memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader.answers import Answer
from grader.case import Case
from grader.explore.domain import Domain, domain
from grader.explore.simplify import cut
from grader.explore.sizes import ARGUMENTS, learn, letters
from grader.model import Kind
from grader.problem import Problem

SEQUENCES = ("n", "N", "L", "S")  # how the problems call the length of a sequence
LAST_LEADING = "...1"  # the axis before those that have names


@dataclass(frozen=True, slots=True)
class Growth:
    """A case, and what of it can grow: letters of its inputs, and arguments that are a length."""

    case: Case
    domain: Domain
    letters: tuple[str, ...]
    lengths: tuple[str, ...]

    def to(self, size: int) -> Case:
        """Returns the case with sequences of this length.

        Raises `IndexError` where a parameter would have to grow in a way that no case shows.
        """
        case = self.case
        for letter in self.letters:
            old = letters(self.domain.problem, case)[letter]
            case = cut(case, self.domain, letter, np.arange(size) % old)
        lengths = {name.partition(".")[2]: size for name in self.lengths}
        options = {name: lengths.get(name, value) for name, value in case.options.items()}
        init = {name: lengths.get(name, value) for name, value in case.init.items()}
        return replace(case, name=f"size {size}", options=options, init=init)


def growth(problem: Problem, public: Sequence[Answer]) -> Growth | None:
    """Returns the first public case that can grow, one about the definition itself if there is;
    None where no case has a sequence.
    """
    if problem.kind is Kind.VALUES:
        return None
    allowed = domain(problem, [answer.case for answer in public])
    lengths = _lengths(problem, public)
    plain = sorted((a.case for a in public if _is_plain(a.case)), key=lambda case: bool(case.rule))
    grown = (Growth(_bare(c), allowed, _letters(problem, c), _given(c, lengths)) for c in plain)
    return next((each for each in grown if each.letters or each.lengths), None)


def _is_plain(case: Case) -> bool:
    """One call, with arrays."""
    special = case.raises or case.before or case.draws or case.nested or case.then
    return not special


def _bare(case: Case) -> Case:
    """The case without what is only for judging; the smallest input alone is brought back."""
    smallest = min(case.inputs, key=lambda name: case.inputs[name].size, default="")
    wants = (f"after.{smallest}",) if smallest else ()
    return replace(case, layout={}, labels=(), wants=wants, memory_mib=None, cpu_factor=None)


def _letters(problem: Problem, case: Case) -> tuple[str, ...]:
    present = letters(problem, case)
    named = tuple(letter for letter in SEQUENCES if letter in present)
    return named or tuple(letter for letter in (LAST_LEADING,) if letter in present)


def _lengths(problem: Problem, public: Sequence[Answer]) -> Mapping[str, tuple[str, ...]]:
    """The integer arguments that say how long a result is: it is read off the results."""
    whole = [
        replace(answer.case, inputs={**answer.case.inputs, **_results(answer)}, nested={})
        for answer in public
        if _is_plain(answer.case)
    ]
    return {
        name: tie
        for name, tie in learn(problem, whole).ties.items()
        if len(tie) == 1 and tie[0] in SEQUENCES
    }


def _results(answer: Answer) -> dict[str, np.ndarray]:
    return {n: np.asarray(e.values) for n, e in answer.expected.items() if "." not in n}


def _given(case: Case, lengths: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    given = {f"{g}.{n}" for g in ("options", "init") for n in getattr(case, g)}
    return tuple(name for name in lengths if name in given and name.startswith(ARGUMENTS))
