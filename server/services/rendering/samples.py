"""The numbers of sample cases as plain JSON: for the statement's tables, and for the pictures
beside a verdict.

A tensor becomes `{"shape", "dtype", "data"}`, its data as nested lists (a number, true or false;
`"nan"`, `"inf"`, `"-inf"` where JSON has none), or as a text in quotes; what is too large to read
has no data.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.answers import answers_for
from grader.case import Case
from grader.comparison.compare import Expected
from grader.model import CaseResult, Twin
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verdict.outcome import axes_of

LARGEST = 2048  # entries of a tensor that is still shown
MOST_TWINS = 6  # failed hidden cases that are shown with the numbers of their public twins

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a statement shows of the cases: how many there are in each framework, and the samples
    with their answers.
    """

    counts: Mapping[str, int]
    answers: tuple[tuple[Case, Mapping[str, Expected]], ...]


def shown_answers(problem: Problem, sandbox: Sandbox) -> Shown:
    """Computed from the answers, which the first submissions would ask for anyway.

    Raises `ProblemError`.
    """
    answers = {
        framework: answers_for(problem, framework, sandbox).cases
        for framework in problem.frameworks
    }
    first = [a for a in answers[problem.frameworks[0]] if a.case.sample]
    return Shown(
        {str(framework): len(cases) for framework, cases in answers.items()},
        tuple((a.case, a.expected) for a in first),
    )


def sample_data(
    problem: Problem, answers: Iterable[tuple[Case, Mapping[str, Expected]]]
) -> list[Json]:
    """The sample cases with their answers."""
    order = _order(problem)
    return [
        _case_data(case, order)
        | _expected(problem, {n: e.shown for n, e in expected.items()}, _due(expected), order)
        for case, expected in answers
    ]


def result_data(problem: Problem, results: Iterable[CaseResult]) -> list[Json]:
    """The judged samples and the first public twins: input, expected, got, and their difference
    where the shapes agree.
    """
    order = _order(problem)
    judged = list(results)
    twins = [r for r in judged if r.twin is Twin.FAILS][:MOST_TWINS]
    return [
        {
            "name": r.name,
            "labels": [],
            "inputs": {},
            "options": {},
            "note": r.note,
            "twin": not r.sample,
        }
        | (_case_data(r.case, order) if r.case is not None else {})
        | {"verdict": str(r.verdict), "message": r.message, "printed": r.printed}
        | _expected(problem, r.expected, r.due, order)
        | {
            "got": _tensors(r.got, order),
            "difference": _tensors(_differences(r.got, r.expected), order),
        }
        for r in (*(r for r in judged if r.sample), *twins)
    ]


def shown_data(problem: Problem, results: Iterable[CaseResult]) -> Json:
    """What a page shows beyond the verdict: why each case exists, and the numbers of samples and
    public twins.
    """
    judged = list(results)
    return {"notes": {r.name: r.note for r in judged}, "samples": result_data(problem, judged)}


def _order(problem: Problem) -> list[str]:
    """Names in the order in which the statement speaks of them; a wire sorts them by itself."""
    return [
        name
        for e in problem.called
        for name in (*(p.name for p in (*e.init, *e.params)), *e.returns)
    ]


def _due(expected: Mapping[str, Expected]) -> dict[str, str]:
    return {name: e.dtype for name, e in expected.items()}


def _expected(
    problem: Problem, arrays: Mapping[str, np.ndarray], due: Mapping[str, str], order: list[str]
) -> Json:
    """What a solution must give, with the dtype that is due: the answer itself is in float64."""
    tensors = _tensors(arrays, order)
    for name, tensor in tensors.items():
        tensor["dtype"] = due.get(name, tensor["dtype"])
    return {"expected": tensors, "axes": _axes(problem, arrays)}


def _axes(problem: Problem, arrays: Mapping[str, np.ndarray]) -> Json:
    return {name: list(axes_of(problem, name, np.asarray(array))) for name, array in arrays.items()}


def tensor_data(array: np.ndarray) -> Json:
    """One tensor. Without `data` when it has more than `LARGEST` entries."""
    text = array.dtype.kind == "U"
    data: Json = {"shape": list(array.shape), "dtype": "str" if text else array.dtype.name}
    if array.size <= LARGEST:
        numbers = array.tolist()
        data["data"] = (
            numbers if array.dtype.kind in "biuU" or np.isfinite(array).all() else _plain(numbers)
        )
    return data


def _tensors(arrays: Mapping[str, np.ndarray], order: list[str]) -> Json:
    names = [name for name in dict.fromkeys(order) if name in arrays] + [
        name for name in arrays if name not in order
    ]
    return {name: tensor_data(np.asarray(arrays[name])) for name in names}


def _case_data(case: Case, order: list[str]) -> Json:
    return {
        "name": case.name,
        "note": case.note,
        "call": case.call,
        "labels": list(case.labels),
        "inputs": _tensors(case.inputs, order) | _tensors(case.state, order),
        "options": {**case.init, **case.options},
        "raises": case.raises,
    }


def _differences(
    got: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    pairs = {
        name: (np.asarray(got[name]), np.asarray(expected[name]))
        for name in expected
        if name in got
    }
    with np.errstate(all="ignore"):
        return {
            name: mine.astype(np.float64) - right.astype(np.float64)
            for name, (mine, right) in pairs.items()
            if mine.shape == right.shape
            and {mine.dtype.kind, right.dtype.kind} <= set("biuf")
            and right.size <= LARGEST
        }


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value


# as tables


@dataclass(frozen=True, slots=True)
class Block:
    """One matrix of a tensor as text: a caption such as `[0, 1]` and the rows."""

    caption: str
    rows: tuple[tuple[str, ...], ...]


def blocks(tensor: Json) -> list[Block]:
    """A tensor as tables of at most two dimensions each; empty when it is too large to show."""
    if "data" not in tensor or 0 in tensor["shape"]:
        return []
    data, depth = tensor["data"], len(tensor["shape"])
    data = [[data]] if depth == 0 else [data] if depth == 1 else data
    decimals = _decimals(_flat(tensor["data"]))
    return [
        Block(
            f"[{', '.join(map(str, index))}]" if index else "",
            tuple(tuple(number(v, decimals) for v in row) for row in matrix),
        )
        for index, matrix in _matrices(data, max(0, depth - 2))
    ]


def _matrices(
    data: Any, depth: int, index: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], Any]]:
    if depth == 0:
        yield index, data
        return
    for i, part in enumerate(data):
        yield from _matrices(part, depth - 1, (*index, i))


def number(value: Any, decimals: int | None) -> str:
    """A number as a reader likes it: those of one tensor with the same decimals, at most four."""
    if isinstance(value, bool) or not isinstance(value, float):
        return str(value)
    return f"{value:.4g}" if decimals is None else f"{value:.{decimals}f}"


def _decimals(values: list[Any]) -> int | None:
    """The fewest decimals, up to four, that lose nothing that matters; None where sizes differ too
    much for that.
    """
    numbers = [v for v in values if isinstance(v, float)]
    most = max(map(abs, numbers), default=0.0)
    if most >= 1e5 or 0 < most < 1e-2:
        return None
    return next(
        (
            d
            for d in range(4)
            if all(abs(round(v, d) - v) <= 1e-6 * max(1.0, abs(v)) for v in numbers)
        ),
        4,
    )


def _flat(data: Any) -> list[Any]:
    return [value for part in data for value in _flat(part)] if isinstance(data, list) else [data]
