"""Makes simpler cases out of a case: fewer arguments, smaller sizes, rounder values.

Nothing here runs anything. Whether a simpler case is allowed, and whether it still shows the same
failure, is for others to say.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import TypeVar

import numpy as np

from grader.case import Case
from grader.explore.domain import Domain
from grader.explore.forms import bind
from grader.explore.sizes import integers

FEW = 16  # entries of an axis that are left out one at a time
MANY = 32  # entries of an array that are set one at a time
DIGITS = (0, 1, 2)  # to which values are rounded
T = TypeVar("T")
BEFORE = "before "  # before a letter: its size in an earlier call


def without(case: Case, domain: Domain) -> Iterator[Case]:
    """Yields the case without its layout, its earlier call, and each optional argument."""
    if case.layout:
        yield replace(case, layout={})
    if case.before:
        yield replace(case, before={})
    for name in domain.optional(case):
        yield replace(
            case,
            inputs=_but(case.inputs, name),
            options=_but(case.options, name),
            before=_but(case.before, name),
            layout=_but(case.layout, name),
            wants=tuple(want for want in case.wants if want.partition(".")[2] != name),
        )


def _but(given: Mapping[str, T], name: str) -> dict[str, T]:
    return {key: value for key, value in given.items() if key != name}


def sizes_of(case: Case, domain: Domain) -> dict[str, int]:
    """Returns the size of each letter that can be cut."""
    _, sizes = bind(domain.problem, case.inputs)
    _, earlier = bind(domain.problem, case.before)
    others = {f"{BEFORE}{x}": n for x, n in earlier.items() if sizes.get(x) != n}
    return {x: n for x, n in (sizes | others).items() if x not in domain.sizes.fixed}


def least(letter: str, domain: Domain) -> int:
    """Returns the smallest size of a letter in public cases."""
    return max(1, domain.sizes.least.get(letter.removeprefix(BEFORE), 1))


def keeps(size: int, smallest: int) -> Iterator[np.ndarray]:
    """Yields which entries of an axis to keep, the fewest first."""
    everything = np.arange(size)
    counts = [n for n in dict.fromkeys((smallest, max(smallest, 2), size // 2)) if n < size]
    for count in counts:
        yield everything[:count]
        yield everything[-count:]
    if size - 1 > smallest:
        step = max(1, size // FEW)
        for i in range(0, size, step):
            yield np.delete(everything, slice(i, i + step))


def capped(case: Case, domain: Domain, most: int) -> Case | None:
    """Returns the case with every size cut to at most so many; None where none is larger."""
    sizes = {x: max(most, least(x, domain)) for x in sizes_of(case, domain)}
    larger = {x: n for x, n in sizes_of(case, domain).items() if n > sizes[x]}
    for letter in larger:
        case = cut(case, domain, letter, np.arange(sizes[letter]))
    return case if larger else None


def cut(case: Case, domain: Domain, letter: str, keep: np.ndarray) -> Case:
    """Returns the case with only some entries of every axis that carries a letter."""
    axes, sizes = bind(domain.problem, case.inputs)
    earlier, before = bind(domain.problem, case.before)
    bare = letter.removeprefix(BEFORE)
    together = before.get(bare) == sizes.get(bare)
    inputs, calls = dict(case.inputs), dict(case.before)
    if letter == bare:
        inputs = {n: _taken(a, axes[n], bare, keep) for n, a in case.inputs.items()}
    if letter != bare or together:
        calls = {n: _taken(a, earlier[n], bare, keep) for n, a in case.before.items()}
    changed = replace(case, inputs=inputs, before=calls, labels=())
    return _tied(changed, domain, bare, keep)


def _taken(
    array: np.ndarray, letters: tuple[str, ...], letter: str, keep: np.ndarray
) -> np.ndarray:
    for axis, each in enumerate(letters):
        if each == letter:
            array = np.take(array, keep, axis=axis)
    return array


def _tied(case: Case, domain: Domain, letter: str, keep: np.ndarray) -> Case:
    """The case with the integer arguments and the parameters that go with a letter."""
    sizes = bind(domain.problem, case.inputs)[1]
    values = {
        name: prod(sizes[x] for x in tie)
        for name, tie in domain.sizes.ties.items()
        if letter in tie and all(x in sizes for x in tie)
    }
    state = dict(case.state)
    for name, axes in domain.sizes.state.items():
        for i, axis in enumerate(axes):
            if name in state and axis.quantity == letter and axis.times == 1 and not axis.plus:
                state[name] = np.take(state[name], keep, axis=i)
    return _with_integers(replace(case, state=state), domain, values)


def _with_integers(case: Case, domain: Domain, values: Mapping[str, int]) -> Case:
    """The case with other integer arguments, and parameters of the sizes that go with them."""
    options, init = dict(case.options), dict(case.init)
    for name, value in values.items():
        group, _, bare = name.partition(".")
        given = options if group == "options" else init
        if bare in given:
            given[bare] = value
    state = dict(case.state)
    for name, axes in domain.sizes.state.items():
        for i, axis in enumerate(axes):
            if name in state and axis.quantity in values:
                state[name] = np.take(state[name], np.arange(axis.size(values)), axis=i)
    return replace(case, options=options, init=init, state=state)


def lower_integers(case: Case, domain: Domain) -> Iterator[tuple[str, Case]]:
    """Yields the case with a smaller value of each integer argument, the smallest first."""
    for name, value in integers(case).items():
        if name in domain.sizes.ties:
            continue
        first, last = domain.integers.get(name, (value, value))
        for smaller in dict.fromkeys((0, 1, 2, 3, 4, 6, abs(value) // 2, abs(value) - 1)):
            if smaller < abs(value) and first <= smaller <= last:
                yield name, _with_integers(case, domain, {name: smaller})


def rounder(case: Case) -> Iterator[tuple[str, Case]]:
    """Yields the case with an array, or a float argument, rounded; the fewest digits first."""
    for name, array in case.tensors().items():
        if array.dtype.kind == "f":
            for digits in DIGITS:
                yield name, with_array(case, name, np.round(array, digits) + array.dtype.type(0))
    for name, value in case.options.items():
        if type(value) is float:
            for digits in DIGITS:
                yield name, replace(case, options={**case.options, name: round(value, digits)})


def with_entry(case: Case, name: str, index: int, value: int) -> Case:
    """Returns the case with one entry of an array set."""
    array = case.tensors()[name].copy()
    array.reshape(-1)[index] = value
    return with_array(case, name, array)


def with_array(case: Case, wire_name: str, array: np.ndarray) -> Case:
    """Returns the case with another array."""
    group, _, name = wire_name.partition(".")
    match group:
        case "inputs":
            return replace(case, inputs={**case.inputs, name: array})
        case "state":
            return replace(case, state={**case.state, name: array})
        case _:
            return replace(case, before={**case.before, name: array})
