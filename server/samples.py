"""The numbers of sample cases as plain JSON: for the statement's tables, and for the pictures beside a verdict.

A tensor becomes `{"shape", "dtype", "data"}`, its data as nested lists (a number, true or false; `"nan"`, `"inf"`, `"-inf"` where JSON
has none); what is too large to read has no data.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.case import Case
from grader.model import CaseResult

LARGEST = 2048  # entries of a tensor that is still shown

Json = dict[str, Any]


def sample_data(answers: Iterable[tuple[Case, Mapping[str, np.ndarray]]]) -> list[Json]:
    """The sample cases with their answers."""
    return [_case_data(case) | {"expected": _tensors(expected)} for case, expected in answers]


def result_data(results: Iterable[CaseResult]) -> list[Json]:
    """The judged sample cases: input, expected, got, and their difference where the shapes agree."""
    return [
        {"name": r.name, "labels": [], "inputs": {}, "options": {}, "note": r.note}
        | (_case_data(r.case) if r.case is not None else {})
        | {"verdict": str(r.verdict), "message": r.message, "printed": r.printed}
        | {"expected": _tensors(r.expected), "got": _tensors(r.got), "difference": _tensors(_differences(r.got, r.expected))}
        for r in results
        if r.sample
    ]


def shown_data(results: Iterable[CaseResult]) -> Json:
    """What a page shows beyond the verdict: why each case exists, and the numbers of the samples."""
    found = list(results)
    return {"notes": {r.name: r.note for r in found}, "samples": result_data(found)}


def tensor_data(array: np.ndarray) -> Json:
    """One tensor. Without `data` when it has more than `LARGEST` entries."""
    found: Json = {"shape": list(array.shape), "dtype": array.dtype.name}
    if array.size <= LARGEST:
        found["data"] = _plain(array.tolist())
    return found


def _tensors(arrays: Mapping[str, np.ndarray]) -> Json:
    return {name: tensor_data(np.asarray(array)) for name, array in arrays.items()}


def _case_data(case: Case) -> Json:
    return {
        "name": case.name,
        "note": case.note,
        "call": case.call,
        "labels": list(case.labels),
        "inputs": _tensors(case.inputs) | _tensors(case.state),
        "options": {**case.init, **case.options},
        "raises": case.raises,
    }


def _differences(got: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    pairs = {name: (np.asarray(got[name]), np.asarray(expected[name])) for name in expected if name in got}
    with np.errstate(all="ignore"):
        return {
            name: mine.astype(np.float64) - right.astype(np.float64)
            for name, (mine, right) in pairs.items()
            if mine.shape == right.shape and mine.dtype.kind in "biuf" and right.size <= LARGEST
        }


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value


# ------------------------------------------------------------------------------------------------------------------ as tables


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
    return [
        Block(f"[{', '.join(map(str, index))}]" if index else "", tuple(tuple(number(v) for v in row) for row in matrix))
        for index, matrix in _matrices(data, max(0, depth - 2))
    ]


def _matrices(data: Any, depth: int, index: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    if depth == 0:
        yield index, data
        return
    for i, part in enumerate(data):
        yield from _matrices(part, depth - 1, (*index, i))


def number(value: Any) -> str:
    """A number as a reader likes it: four figures, and no more zeros than needed."""
    if isinstance(value, bool) or not isinstance(value, float):
        return str(value)
    text = f"{value:.4f}" if 1e-3 <= abs(value) < 1e4 else f"{value:.4g}"
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
