"""Which inputs a problem's statement allows, as far as its shapes and its public cases show.

No file declares the values that an argument may have. What no public case has, such as a mask that
hides everything, a negative weight or a NaN, is taken to be excluded.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.case import Case
from grader.explore import sizes
from grader.explore.complaints import Complaint, Wrong, complaint
from grader.explore.forms import bind, clash
from grader.problem import Entry, Problem

HIDING = -1e6  # added to a score, this hides a key
HARMLESS = 10.0  # rows that are no longer than this make scores of at most 100


@dataclass(frozen=True, slots=True)
class Values:
    """What the public cases show of the values of one argument."""

    dtypes: tuple[str, ...]  # the most common first
    least: float | int
    most: float | int
    infinities: frozenset[float] = frozenset()
    nan: bool = False
    empty_rows: bool = False  # rows in which nothing is True, or everything is hidden


@dataclass(frozen=True, slots=True)
class Domain:
    """What a problem's shapes and public cases allow."""

    problem: Problem
    entries: tuple[Entry, ...]  # what the public cases call, the default first
    sizes: sizes.Sizes
    values: Mapping[str, Values]  # by wire name, such as `inputs.q`
    integers: Mapping[str, tuple[int, int]]  # least and most, by name, such as `options.k`
    types: Mapping[str, frozenset[str]]  # of plain arguments, such as `options.causal`
    left_out: frozenset[tuple[str, str]]  # (entry point, argument) that some case does without
    one_dtype: bool  # all floats of a case have one dtype
    errors: frozenset[str]  # what a call must raise in some case

    def complaints(self, case: Case, strict: bool = False) -> Iterator[Complaint]:
        """Yields what is wrong with a case's inputs. A size, and a number that counts something,
        may be 1 though no public case has so few, unless `strict`.
        """
        yield from self._shapes(case, strict)
        for name, array in case.tensors().items():
            if _argument(name) in self.values:
                yield from _values(_argument(name), array, self.values[_argument(name)])
        if self.one_dtype and len(dtypes := _float_dtypes(case)) > 1:
            yield complaint(Wrong.MIXED, known=", ".join(sorted(dtypes)))
        for name, value in sizes.integers(case).items():
            least, most = self.integers.get(name, (value, value))
            if name in self.sizes.ties or "float" in self.types.get(name, ()):
                continue  # a number that counts nothing may be written without a point
            least = least if strict else min(least, 1)
            if not least <= value <= most:
                yield complaint(Wrong.NUMBER, name=_bare(name), value=value, least=least, most=most)

    def _shapes(self, case: Case, strict: bool) -> Iterator[Complaint]:
        axes, numbers = bind(self.problem, case.inputs)
        for name, letters in axes.items():
            forms = self.problem.shapes.get(name, ())
            if forms and not all(letters):
                yield _shape(name, case.inputs[name].shape, forms, numbers)
        for letter, size in numbers.items():
            least = self.sizes.least.get(letter, 1)
            least = least if strict else min(least, 1)
            if size < least:
                yield complaint(Wrong.SIZE, letter=letter, size=size, least=least)
        if case.raises:
            return
        for name, value, due in self.sizes.untied(numbers | sizes.integers(case)):
            yield complaint(Wrong.TIED, name=_bare(name), value=value, due=due)
        for kind, a, b in self.sizes.broken(numbers | sizes.integers(case)):
            yield complaint(Wrong(kind), a=_bare(a), b=_bare(b))

    def allows(self, case: Case, origin: Case) -> bool:
        """Returns whether a case made out of another stays where the statement is sure to hold.

        That is stricter than `complaints`: no value leaves the range of what was seen, and no row
        becomes longer.
        """
        if next(self.complaints(case, strict=True), None) is not None:
            return False
        before = origin.tensors()
        return all(
            _within(array, self.values.get(_argument(name)))
            and _length(array) <= _allowed(before, name)
            for name, array in case.tensors().items()
        )

    def optional(self, case: Case) -> list[str]:
        """Returns the arguments of a case that other cases of the same entry point do without."""
        call = self.problem.entry(case.call).name
        return [n for n in (*case.inputs, *case.options) if (call, n) in self.left_out]


def domain(problem: Problem, cases: Sequence[Case]) -> Domain:
    """Returns what a problem and these cases allow."""
    arrays = [(_argument(name), a) for case in cases for name, a in case.tensors().items()]
    names = dict.fromkeys(name for name, _ in arrays)
    return Domain(
        problem=problem,
        entries=_called(problem, cases),
        sizes=sizes.learn(problem, cases),
        values={name: _seen([a for n, a in arrays if n == name]) for name in names},
        integers=_ranges([sizes.integers(case) for case in cases]),
        types=_types(cases),
        left_out=_left_out(problem, cases),
        one_dtype=all(len(_float_dtypes(case)) < 2 for case in cases),
        errors=frozenset(case.raises for case in cases if case.raises),
    )


def _called(problem: Problem, cases: Sequence[Case]) -> tuple[Entry, ...]:
    """The driver, where there is one, and the entry points: those that some case calls.

    An entry point that only the driver calls may take what nobody can write down, such as a
    function.
    """
    calls = {problem.entry(case.call).name for case in cases}
    known = {entry.name: entry for entry in (problem.first, *problem.entries)}
    return tuple(entry for name, entry in known.items() if name in calls)


def _argument(name: str) -> str:
    """The wire name of an argument, also where it is one of an earlier call."""
    return f"inputs.{name.removeprefix('before.')}" if name.startswith("before.") else name


def _seen(arrays: Sequence[np.ndarray]) -> Values:
    finite = [array[np.isfinite(array)] for array in arrays]
    numbers = [some for some in finite if some.size]
    return Values(
        dtypes=tuple(name for name, _ in Counter(a.dtype.name for a in arrays).most_common()),
        least=min((some.min().item() for some in numbers), default=0),
        most=max((some.max().item() for some in numbers), default=0),
        infinities=frozenset(float(x) for a in arrays for x in np.unique(a[np.isinf(a)])),
        nan=any(bool(np.isnan(array).any()) for array in arrays),
        empty_rows=any(bool(_empty(array).any()) for array in arrays),
    )


def _empty(array: np.ndarray) -> np.ndarray:
    """Where a row of a mask hides everything."""
    if array.ndim == 0 or array.size == 0:
        return np.zeros(1, bool)
    hidden = ~array if array.dtype.kind == "b" else array <= HIDING
    return np.asarray(hidden.all(axis=-1))


def _values(name: str, array: np.ndarray, seen: Values) -> Iterator[Complaint]:
    about: dict[str, Any] = {"name": _bare(name)}
    if array.dtype.name not in seen.dtypes:
        yield complaint(
            Wrong.DTYPE, **about, dtype=array.dtype.name, known=", ".join(sorted(seen.dtypes))
        )
        return
    strange = np.isnan(array) & (not seen.nan)
    strange |= np.isinf(array) & ~np.isin(array, list(seen.infinities))
    if strange.any():
        yield complaint(Wrong.NOT_FINITE, **about, at=_first(strange))
    elif array.size and seen.least >= 0 and array.dtype.kind in "iuf" and (array < 0).any():
        yield complaint(Wrong.NEGATIVE, **about, at=_first(array < 0))
    elif array.dtype.kind in "bf" and not seen.empty_rows and (empty := _empty(array)).any():
        yield complaint(Wrong.EMPTY_ROW, **about, at=_first(empty))


def _first(where: np.ndarray) -> str:
    """The place of the first True, as an index."""
    place = np.unravel_index(int(np.argmax(where)), where.shape)
    return f"[{', '.join(str(int(i)) for i in place)}]"


def _within(array: np.ndarray, seen: Values | None) -> bool:
    if seen is None or array.dtype.kind == "b":
        return True
    finite = array[np.isfinite(array)]
    return not finite.size or seen.least <= finite.min().item() <= finite.max().item() <= seen.most


def _length(array: np.ndarray) -> float:
    """How far the rows of an array can raise a scaled score: scores are q k / √width."""
    if array.dtype.kind != "f" or array.ndim == 0 or not array.size:
        return 0.0
    finite = np.where(np.isfinite(array), array, 0).astype(np.float64)
    with np.errstate(over="ignore"):
        rows = np.sqrt((finite**2).sum(axis=-1))
    return float(rows.max() / array.shape[-1] ** 0.25)


def _allowed(before: Mapping[str, np.ndarray], name: str) -> float:
    origin = before.get(name)
    return max(HARMLESS, _length(origin) * (1 + 1e-6)) if origin is not None else HARMLESS


def _ranges(rows: Sequence[Mapping[str, Any]]) -> dict[str, tuple[Any, Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    seen = {name: [row[name] for row in rows if name in row] for name in names}
    return {name: (min(values), max(values)) for name, values in seen.items()}


def _types(cases: Sequence[Case]) -> dict[str, frozenset[str]]:
    seen = [
        (f"{group}.{name}", type(value).__name__)
        for case in cases
        for group, given in (("options", case.options), ("init", case.init))
        for name, value in given.items()
    ]
    return {name: frozenset(t for n, t in seen if n == name) for name, _ in seen}


def _float_dtypes(case: Case) -> set[str]:
    return {a.dtype.name for a in case.tensors().values() if a.dtype.kind == "f"}


def _left_out(problem: Problem, cases: Sequence[Case]) -> frozenset[tuple[str, str]]:
    return frozenset(
        (entry.name, parameter.name)
        for case in cases
        for entry in (problem.entry(case.call),)
        for parameter in entry.params
        if parameter.name not in case.inputs and parameter.name not in case.options
    )


def _shape(
    name: str, shape: tuple[int, ...], forms: Sequence[str], numbers: Mapping[str, int]
) -> Complaint:
    """Names the axis that does not fit; none where no form has as many axes."""
    about = {"name": name, "shape": shape, "forms": _forms(forms)}
    wrong = clash(forms, shape, numbers)
    if wrong is None:
        return complaint(Wrong.SHAPE, **about)
    place, letter, due = wrong
    where = {"letter": letter, "axis": place + 1, "count": len(shape)}
    return complaint(Wrong.AXIS, **about, **where, size=shape[place], due=due)


def _forms(forms: Sequence[str]) -> str:
    return " / ".join(f"({', '.join(form.split())})" for form in forms)


def _bare(name: str) -> str:
    """The name of an argument without its group."""
    return (
        name.split(".", 1)[1] if name.startswith((*sizes.ARGUMENTS, "inputs.", "state.")) else name
    )
