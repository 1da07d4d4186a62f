"""Makes a case of the inputs that a learner wrote down, or says what is wrong with them."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np

from grader.case import Case, Scalar
from grader.explore.arrays import variable
from grader.explore.complaints import InputError, Wrong, complaint
from grader.explore.domain import Domain
from grader.explore.forms import bind
from grader.explore.sizes import quantities
from grader.problem import Entry, Problem
from grader.sandbox.generation import Written

NAME = "your input"
CALL = "call"  # names the entry point, where several take the same arguments
MOST = 4096  # numbers of all arrays together
MOST_DRAWN = 1 << 20  # numbers of the parameters together
LIMITS = (Wrong.TIED, Wrong.AT_MOST, Wrong.DIVIDES)
SEED = 1  # of parameters that are not given


def read_case(problem: Problem, domain: Domain, written: Written) -> Case:
    """Returns the case. Raises `InputError`."""
    if written.fault is not None:
        raise InputError(complaint(written.fault, **written.details))
    entry = _entry(domain, written)
    count = sum(array.size for array in written.arrays.values())
    if count > MOST:
        raise InputError(complaint(Wrong.TOO_MANY_NUMBERS, count=count, limit=MOST))
    case = Case(
        NAME,
        inputs=_inputs(entry, domain, written),
        options=_plain(entry, "options", domain, written),
        init=_plain(entry, "init", domain, written),
        call=entry.name if entry is not problem.first else "",
    )
    case = _completed(problem, entry, domain, case)
    _check(domain, case)  # before anything is drawn in sizes that somebody wrote
    case = replace(case, state=_state(problem, domain, case, written))
    _check(domain, case)
    return case


def _check(domain: Domain, case: Case) -> None:
    for wrong in domain.complaints(case):
        # where the statement demands an exception for some inputs, the reference decides
        if not (domain.errors and wrong.code in LIMITS):
            raise InputError(wrong)


def _entry(domain: Domain, written: Written) -> Entry:
    """The entry point that takes what is given."""
    entries = {entry.name: entry for entry in domain.entries}
    named = written.scalars.get(CALL)
    if isinstance(named, str) and named in entries:
        return _checked(entries[named], domain, written)
    if len(entries) == 1:
        return _checked(domain.entries[0], domain, written)
    given = {*written.arrays, *written.scalars} - {CALL}
    for entry in domain.entries:
        if given <= _known(entry, domain) and not _missing(entry, given):
            return entry
    known = " / ".join(f"{e.name}({', '.join(p.name for p in e.params)})" for e in domain.entries)
    raise InputError(complaint(Wrong.UNSURE, known=known))


def _checked(entry: Entry, domain: Domain, written: Written) -> Entry:
    given = {*written.arrays, *written.scalars} - {CALL}
    known = _known(entry, domain)
    unknown = sorted(given - known)
    if unknown:
        raise InputError(complaint(Wrong.UNKNOWN, name=unknown[0], known=", ".join(sorted(known))))
    missing = _missing(entry, given)
    if missing:
        raise InputError(complaint(Wrong.MISSING, name=missing))
    return entry


def _known(entry: Entry, domain: Domain) -> set[str]:
    state = {variable(name) for name in domain.sizes.state}
    return {parameter.name for parameter in (*entry.params, *entry.init)} | state


def _missing(entry: Entry, given: set[str]) -> str:
    """The first argument that must be given and is not; "" when there is none."""
    return next((p.name for p in entry.params if p.required and p.name not in given), "")


def _inputs(entry: Entry, domain: Domain, written: Written) -> dict[str, np.ndarray]:
    """The array arguments, those written as lists in the dtype that the others have."""
    names = [p.name for p in entry.params if f"inputs.{p.name}" in domain.values]
    for name in names:
        if name in written.scalars and written.scalars[name] is not None:
            raise InputError(complaint(Wrong.NOT_AN_ARRAY, name=name))
    chosen = _chosen_float(written)
    return {
        name: _cast(
            written.arrays[name],
            domain.values[f"inputs.{name}"].dtypes,
            chosen,
            name in written.literals,
        )
        for name in names
        if name in written.arrays
    }


def _chosen_float(written: Written) -> str:
    """The dtype of the floats that are not written as lists; "" when there is none."""
    floats = [
        array.dtype.name
        for name, array in written.arrays.items()
        if name not in written.literals and array.dtype.kind == "f"
    ]
    return next(iter(floats), "")


def _cast(array: np.ndarray, known: tuple[str, ...], chosen: str, literal: bool) -> np.ndarray:
    """A list in the dtype that was meant; an array as it is."""
    if not literal:
        return array
    due = np.dtype(chosen if chosen in known else known[0])
    if due.kind == "f" and array.dtype.kind in "iuf":
        return array.astype(due)
    if due.kind == "b" and array.dtype.kind in "iu" and bool(np.isin(array, (0, 1)).all()):
        return array.astype(bool)
    return array


def _plain(entry: Entry, group: str, domain: Domain, written: Written) -> dict[str, Scalar]:
    """The plain arguments of the call, or of the constructor."""
    parameters = entry.params if group == "options" else entry.init
    names = [p.name for p in parameters if f"inputs.{p.name}" not in domain.values]
    for name in names:
        if name in written.arrays:
            raise InputError(complaint(Wrong.NOT_A_NUMBER, name=name))
    given = {name: written.scalars[name] for name in names if name in written.scalars}
    for name, value in given.items():
        _check_type(name, value, domain.types.get(f"{group}.{name}", frozenset()))
    return given


def _check_type(name: str, value: Scalar, known: frozenset[str]) -> None:
    kind = type(value).__name__
    fits = kind in known or (kind == "int" and "float" in known)
    if known and not fits:
        names = ", ".join(sorted(known))
        raise InputError(complaint(Wrong.TYPE, name=name, type=kind, known=names))


def _completed(problem: Problem, entry: Entry, domain: Domain, case: Case) -> Case:
    """The case with what follows from its inputs: sizes that a constructor takes."""
    sizes = bind(problem, case.inputs)[1]
    follows = {
        name.partition(".")[2]: prod(sizes[x] for x in tie)
        for name, tie in domain.sizes.ties.items()
        if name.startswith("init.") and all(x in sizes for x in tie)
    }
    case = replace(case, init={**follows, **case.init})
    missing = [p.name for p in entry.init if p.required and p.name not in case.init]
    if missing:
        raise InputError(complaint(Wrong.MISSING, name=missing[0]))
    return case


def _state(problem: Problem, domain: Domain, case: Case, written: Written) -> dict[str, np.ndarray]:
    """The parameters; those that are not given are drawn."""
    state, numbers = dict[str, np.ndarray](), quantities(problem, case)
    generator = np.random.default_rng(SEED)
    dtype = next((a.dtype for a in case.inputs.values() if a.dtype.kind == "f"), np.dtype("f4"))
    for name, axes in domain.sizes.state.items():
        shape = tuple(axis.size(numbers) for axis in axes if axis.quantity in numbers)
        letters = [axis.quantity.removeprefix("init.") for axis in axes]
        given = written.arrays.get(variable(name))
        if len(shape) < len(axes) and given is None:
            raise InputError(complaint(Wrong.MISSING, name=variable(name)))
        _check_sizes(shape, letters, sum(array.size for array in state.values()))
        drawn = np.round(generator.standard_normal(shape), 1).astype(dtype)
        state[name] = drawn if given is None else _given(name, given, shape, dtype, letters)
    return state


def _check_sizes(shape: Sequence[int], letters: Sequence[str], before: int) -> None:
    """Refuses parameters that cannot be drawn: where an exception is due for some sizes, those of
    a constructor may be any number.
    """
    for size, letter in zip(shape, letters, strict=False):
        if size < 0:
            raise InputError(complaint(Wrong.SIZE, letter=letter, size=size, least=0))
    if before + prod(shape) > MOST_DRAWN:
        count = before + prod(shape)
        raise InputError(complaint(Wrong.TOO_MANY_NUMBERS, count=count, limit=MOST_DRAWN))


def _given(
    name: str,
    array: np.ndarray,
    shape: tuple[int, ...],
    dtype: np.dtype[np.generic],
    letters: Sequence[str],
) -> np.ndarray:
    about = {"name": variable(name), "shape": array.shape, "forms": shape}
    if len(shape) == len(letters) and array.ndim != len(shape):
        raise InputError(complaint(Wrong.SHAPE, **about))
    if len(shape) == array.ndim and array.shape != shape:
        place = next(i for i, n in enumerate(array.shape) if n != shape[i])
        where = {"letter": letters[place], "axis": place + 1, "count": array.ndim}
        size, due = array.shape[place], shape[place]
        raise InputError(complaint(Wrong.AXIS, **about, **where, size=size, due=due))
    return array.astype(dtype)
