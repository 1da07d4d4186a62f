"""A trace as a page shows it: the source line by line with the values that each line makes, and one
step in full.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]
MOST_LINES, LONGEST_LINE = 2000, 400  # that a page shows


@dataclass(frozen=True, slots=True)
class StepView:
    """One value: a number from 1 among those shown, and what the trace says of it."""

    number: int
    data: Json
    wrong: bool

    @property
    def line(self) -> int:
        """The line of the source, from 1."""
        return int(self.data["line"])

    @property
    def name(self) -> str:
        """The variable; empty for a value that is returned or passed on."""
        return str(self.data["variable"])

    @property
    def tensor(self) -> Json | None:
        """The value as `samples.tensor_data` has it; None where it is no array of numbers."""
        shape, values = self.data["shape"], self.data["values"]
        if shape is None:
            return None
        plain = {"shape": shape, "dtype": self.data["dtype"]}
        whole = values is not None and _is_whole(values, shape)
        return {**plain, "data": values} if whole else plain

    @property
    def sample(self) -> Json:
        """The value in the form of a sample, so that it is drawn as one."""
        tensor = self.tensor
        expected = {self.name or "value": tensor} if tensor is not None else {}
        return {"expected": expected, "labels": (), "axes": {}, "plain": True}


@dataclass(frozen=True, slots=True)
class LineView:
    """A line of the source, and the steps that end there."""

    number: int
    code: str
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True)
class TraceView:
    """The lines, the step that is looked at, and the first wrong one."""

    lines: tuple[LineView, ...]
    steps: tuple[StepView, ...]
    current: StepView | None
    wrong: StepView | None
    verdict: str
    cut: tuple[str, ...]

    @property
    def previous(self) -> int | None:
        """The number of the step before."""
        return self.current.number - 1 if self.current and self.current.number > 1 else None

    @property
    def next(self) -> int | None:
        """The number of the step after."""
        at = self.current.number if self.current else 0
        return at + 1 if at < len(self.steps) else None


def trace_view(source: str, trace: Json, step: int | None) -> TraceView:
    """Returns the view of a trace's JSON. Without a step, the first wrong one is looked at, else
    the last.
    """
    first = trace["first_wrong_step"]
    wrong_number = first["step"] if first else None
    steps = tuple(
        StepView(i, data, data["step"] == wrong_number) for i, data in enumerate(trace["steps"], 1)
    )
    wrong = next((view for view in steps if view.wrong), None)
    by_number = {view.number: view for view in steps}
    current = by_number.get(step or 0) or wrong or (steps[-1] if steps else None)
    return TraceView(
        _lines(source, steps), steps, current, wrong, trace["verdict"], tuple(trace["cut"])
    )


def _lines(source: str, steps: Sequence[StepView]) -> tuple[LineView, ...]:
    by_line: dict[int, list[StepView]] = {}
    for view in steps:
        by_line.setdefault(view.line, []).append(view)
    return tuple(
        LineView(number, code[:LONGEST_LINE], tuple(by_line.get(number, ())))
        for number, code in enumerate(source.splitlines()[:MOST_LINES], 1)
    )


def _is_whole(values: Any, shape: Sequence[int]) -> bool:
    """Whether all values are there, in their shape; of a large array only the first ones are."""
    if not shape:
        return not isinstance(values, list)
    if len(shape) == 1:
        return isinstance(values, list) and len(values) == shape[0]
    return math.prod(shape) == 0 or (isinstance(values, list) and isinstance(values[0], list))
