"""What the public cases show of a problem's sizes: which numbers go together, and which limits all
of them keep.

A problem declares the shapes of its arguments. That `d_model` is the width of `x`, that the heads
divide it, and that a table has 2 m + 1 rows, no file says; so it is read off the public cases, and
kept wherever all of them keep it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import prod

from grader.case import Case
from grader.explore.forms import bind
from grader.problem import Problem

ARGUMENTS = ("options.", "init.")  # how the names of integer arguments begin
ENOUGH = 3  # cases that show a limit
SCALED = tuple((a, b) for a in (1, 2) for b in (0, 1, -1))


@dataclass(frozen=True, slots=True)
class Axis:
    """The size of an axis: `times` the quantity plus `plus`. Without a quantity it is unknown."""

    quantity: str = ""
    times: int = 1
    plus: int = 0

    def size(self, quantities: Mapping[str, int]) -> int:
        """Returns the size for these quantities. Raises `KeyError`."""
        return self.times * quantities[self.quantity] + self.plus


@dataclass(frozen=True, slots=True)
class Sizes:
    """What goes together in a problem's cases.

    A quantity is a letter of [shapes], or an integer argument such as `options.k`.
    """

    least: Mapping[str, int] = field(default_factory=dict)  # the smallest size of each letter
    ties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # a product of letters
    state: Mapping[str, tuple[Axis, ...]] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()  # letters that cannot be told apart
    at_most: frozenset[tuple[str, str]] = frozenset()  # the first is never more than the second
    divides: frozenset[tuple[str, str]] = frozenset()

    def untied(self, quantities: Mapping[str, int]) -> Iterator[tuple[str, int, int]]:
        """Yields each integer argument that is not the product of its letters, and that product."""
        for name, tie in self.ties.items():
            if name in quantities and all(letter in quantities for letter in tie):
                due = prod(quantities[letter] for letter in tie)
                if quantities[name] != due:
                    yield name, quantities[name], due

    def broken(self, quantities: Mapping[str, int]) -> Iterator[tuple[str, str, str]]:
        """Yields each limit that these quantities break: which, and the two quantities."""
        for kind, pairs, holds in (
            ("at_most", self.at_most, _at_most),
            ("divides", self.divides, _divides),
        ):
            for a, b in sorted(pairs):
                both = a in quantities and b in quantities
                if both and not holds(quantities[a], quantities[b]):
                    yield kind, a, b


def letters(problem: Problem, case: Case) -> dict[str, int]:
    """Returns the size of each letter in a case."""
    return bind(problem, case.inputs)[1]


def integers(case: Case) -> dict[str, int]:
    """Returns the integer arguments of a case."""
    return {
        f"{group}.{name}": value
        for group, given in (("options", case.options), ("init", case.init))
        for name, value in given.items()
        if type(value) is int
    }


def quantities(problem: Problem, case: Case) -> dict[str, int]:
    """Returns every quantity of a case."""
    return letters(problem, case) | integers(case)


def learn(problem: Problem, cases: Sequence[Case]) -> Sizes:
    """Returns what goes together in all these cases; one that must raise shows nothing."""
    usual = [case for case in cases if not case.raises]
    rows = [quantities(problem, case) for case in usual]
    fits = _ties(rows)
    state = {
        name: _axes(name, usual, rows) for name in dict.fromkeys(n for c in usual for n in c.state)
    }
    unsure = {
        letter for options in fits.values() if len(options) > 1 for tie in options for letter in tie
    }
    ties = {name: options[0] for name, options in fits.items() if len(options) == 1}
    # what is tied to letters says nothing that these do not say
    free = [{name: n for name, n in row.items() if name not in ties} for row in rows]
    return Sizes(
        least=_least(rows),
        ties=ties,
        state=state,
        fixed=frozenset(unsure),
        at_most=_limits(free, _at_most),
        divides=_limits(free, _divides),
    )


def _names(rows: Sequence[Mapping[str, int]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _letters(row: Mapping[str, int]) -> list[str]:
    return [name for name in row if not name.startswith(ARGUMENTS)]


def _least(rows: Sequence[Mapping[str, int]]) -> dict[str, int]:
    return {
        name: min(row[name] for row in rows if name in row)
        for name in _names(rows)
        if not name.startswith(ARGUMENTS)
    }


def _ties(rows: Sequence[Mapping[str, int]]) -> dict[str, list[tuple[str, ...]]]:
    """The letters, or pairs of letters, whose product each integer argument is in every case."""
    ties = {}
    for name in _names(rows):
        having = [row for row in rows if name in row]
        if not name.startswith(ARGUMENTS) or len({row[name] for row in having}) < 2:
            continue
        shared = [x for x in _letters(having[0]) if all(x in row for row in having)]
        single: list[tuple[str, ...]] = [
            (x,) for x in shared if all(row[x] == row[name] for row in having)
        ]
        double: list[tuple[str, ...]] = [
            pair
            for pair in combinations_with_replacement(shared, 2)
            if all(prod(row[x] for x in pair) == row[name] for row in having)
        ]
        if single or double:
            ties[name] = single or double
    return ties


def _axes(name: str, cases: Sequence[Case], rows: Sequence[Mapping[str, int]]) -> tuple[Axis, ...]:
    """What each axis of a module's parameter is in every case."""
    shown = [
        (c.state[name].shape, row) for c, row in zip(cases, rows, strict=True) if name in c.state
    ]
    if len({len(shape) for shape, _ in shown}) != 1:
        return ()
    return tuple(_axis([(shape[i], row) for shape, row in shown]) for i in range(len(shown[0][0])))


def _axis(shown: Sequence[tuple[int, Mapping[str, int]]]) -> Axis:
    shared = [x for x in shown[0][1] if all(x in row for _, row in shown)]
    for times, plus in SCALED:
        for name in shared:
            axis = Axis(name, times, plus)
            if all(axis.size(row) == n for n, row in shown):
                return axis
    return Axis()


def _at_most(a: int, b: int) -> bool:
    return a <= b


def _divides(a: int, b: int) -> bool:
    return a > 0 and b % a == 0


def _limits(
    rows: Sequence[Mapping[str, int]], holds: Callable[[int, int], bool]
) -> frozenset[tuple[str, str]]:
    """The pairs of an integer argument and another quantity for which this always holds."""
    names = _names(rows)
    return frozenset(
        (a, b)
        for a in names
        for b in names
        if a.startswith(ARGUMENTS)
        and a != b
        and len(both := [row for row in rows if a in row and b in row]) >= ENOUGH
        and all(holds(row[a], row[b]) for row in both)
    )
