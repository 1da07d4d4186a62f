"""Validates and decodes the trace of a call: a program may have forged every field of it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.inside.frames import RANK, FrameLimits
from grader.inside.instrument import NAME_CHARS, Kind
from grader.inside.tracing import READS, STEPS
from grader.sandbox.intake.decode import MOST_COUNT, clean

TRACED = FrameLimits(8 << 20, meta_bytes=1 << 19, tensors=STEPS, name_chars=4)
CUTS = ("bytes", "source", "steps", "time", "value")
DEPTH = 1000
MOST_LINE = 10**7


@dataclass(frozen=True, slots=True)
class Range:
    """The finite values of a tensor."""

    least: float
    most: float
    mean: float


@dataclass(frozen=True, slots=True)
class Step:
    """One value that a program computed, at one place of its source.

    `values` are those of the whole tensor, or its first ones (`whole` tells). `dtype` is the type's
    name where it is no tensor. `reads` are the numbers of earlier steps. `count` is how often the
    place came round; the steps in the middle of a loop are left out. `changes` names the argument
    that is changed in place. `grad` is set where a gradient can flow back.
    """

    kind: Kind
    name: str
    line: int
    function: str
    depth: int
    dtype: str
    shape: tuple[int, ...] | None = None
    values: np.ndarray | None = None
    range: Range | None = None
    reads: tuple[int, ...] = ()
    count: int = 1
    changes: str = ""
    grad: bool = False

    @property
    def whole(self) -> bool:
        """Is every entry among the values?"""
        return self.values is not None and self.values.shape == self.shape


@dataclass(frozen=True, slots=True)
class Traced:
    """The steps of one call, and what bound cut them off (of `CUTS`)."""

    steps: tuple[Step, ...] = ()
    cut: tuple[str, ...] = ()


def decode(meta: Mapping[str, Any], tensors: Mapping[str, np.ndarray]) -> Traced:
    """Returns the frame of a trace; what is not of its type is left out."""
    rows, cut = meta.get("steps"), meta.get("cut")
    if meta.get("frame") != "trace" or not isinstance(rows, list) or not isinstance(cut, list):
        return Traced(cut=("source",))
    steps = tuple(_step(row, i, tensors.get(str(i))) for i, row in enumerate(rows[:STEPS]))
    return Traced(steps, tuple(name for name in CUTS if name in cut))


def _step(row: Any, number: int, values: np.ndarray | None) -> Step:
    row = row if isinstance(row, dict) else {}
    shape = _shape(row.get("shape"))
    kind = row.get("kind")
    if shape is None or values is None or not _belongs(values, shape):
        values = None
    reads = row.get("reads")
    return Step(
        kind=Kind(kind) if kind in list(Kind) else Kind.EXPRESSION,
        name=_text(row.get("name")),
        line=_count(row.get("line"), MOST_LINE, 1),
        function=_text(row.get("function")),
        depth=_count(row.get("depth"), DEPTH),
        dtype=_text(row.get("dtype")),
        shape=shape,
        values=values,
        range=_range(row.get("range")),
        reads=tuple(n for n in reads[:READS] if type(n) is int and 0 <= n < number)
        if isinstance(reads, list)
        else (),
        count=_count(row.get("count"), MOST_COUNT, 1),
        changes=_text(row.get("first")),
        grad=row.get("grad") is True,
    )


def _belongs(values: np.ndarray, shape: tuple[int, ...]) -> bool:
    """Are they the tensor, or the first ones of a larger tensor?"""
    return values.shape == shape or (values.ndim == 1 and values.size < math.prod(shape))


def _shape(shape: Any) -> tuple[int, ...] | None:
    if not isinstance(shape, list) or len(shape) > RANK:
        return None
    if not all(type(n) is int and 0 <= n < MOST_COUNT for n in shape):
        return None
    return tuple(shape)


def _count(value: Any, most: int, default: int = 0) -> int:
    return value if type(value) is int and 0 <= value <= most else default


def _text(text: Any) -> str:
    """A string on one line, cleaned and cut."""
    most = NAME_CHARS + 4  # an expression, and which part of it is returned
    return clean(" ".join(text[:most].split()))[:most] if type(text) is str else ""


def _range(numbers: Any) -> Range | None:
    if not isinstance(numbers, list) or len(numbers) != 3:
        return None
    return Range(*numbers) if all(type(n) is float for n in numbers) else None
