"""Records what a program computes: for each place of its source, the value that it has there.

Runs inside the room only, and only in a child that was asked for a trace. Everything is bounded:
steps, bytes, time; the last steps of a loop take the places of those in its middle.
"""

import sys
import time
from collections.abc import Mapping
from types import CodeType, FrameType
from typing import Any

import numpy as np

from grader.inside import frames
from grader.inside.describe import NAME_CHARS, as_array
from grader.inside.instrument import HOOK, Kind, Place, instrument

STEPS = 400  # in one trace
EXPRESSIONS = 280  # of them
REPEATS = 6  # of one place that are kept; the last one then stands for all later ones
VALUES = 4096  # entries of a tensor that is kept whole
SOME = 64  # entries of a larger one
KEPT_BYTES = 4 << 20
ALIVE_BYTES = 64 << 20  # values that are held so that no other can have their identity
READS = 12  # earlier steps that one step names
SILENT = ("module", "function")  # types whose values say nothing
CALLERS = 100  # frames between a function of the program and the one that called it
TYPE_NAME = type.__dict__["__name__"].__get__  # a metaclass may say anything else


class TraceEnd(BaseException):
    """The time of a trace is over: ends the call that is traced."""


def compiled(source: str, framework: str, seconds: float) -> tuple[CodeType, dict[str, "Recorder"]]:
    """Returns the program so that it reports its values, and the name under which it does so.

    A source that is nested too deeply to be rewritten reports nothing.
    """
    try:
        tree, places = instrument(source)
        code = compile(tree, "solution.py", "exec")
        return code, {HOOK: Recorder(places, framework, seconds)}
    except (RecursionError, MemoryError):
        code = compile(source, "solution.py", "exec")
        return code, {HOOK: Recorder([], framework, seconds, "source")}


class _Activation:
    """One running call of a function of the program."""

    def __init__(self, frame: FrameType, parent: "_Activation | None") -> None:
        self.frame, self.parent = frame, parent
        self.depth: int = parent.depth + 1 if parent else 0
        self.variables: dict[str, set[int]] = {}
        self.flow: dict[int, set[int]] = {}  # by place: the steps that its value is made of
        self.returned: set[int] = set()  # by what it called


class Recorder:
    """The hook: takes the number of a place and a value, and returns the value."""

    def __init__(self, places: list[Place], framework: str, seconds: float, cut: str = "") -> None:
        self._places, self._framework, self._seconds = places, framework, seconds
        self._shared: dict[str, set[int]] = {}  # `self.x`, and the names of the module
        self._cut = {cut} if cut else set[str]()
        self._serial = 0
        self.restart()

    def restart(self) -> None:
        """Forgets every step of a call: another one begins."""
        self._steps: dict[int, dict[str, Any]] = {}
        self._arrays: dict[int, np.ndarray] = {}
        self._at: dict[int, list[int]] = {}  # by place: its steps
        self._moved: dict[int, int] = {}  # dropped steps: the place that stands for them
        self._alive: dict[int, tuple[int, Any]] = {}  # by identity: the step of a value
        self._given: dict[int, str] = {}  # by identity: the names of the arguments of the call
        self._alive_bytes = self._kept_bytes = self._expressions = 0
        self._activations: dict[int, _Activation] = {}
        self._deadline = time.monotonic() + self._seconds

    def __call__(self, number: int, value: Any) -> Any:
        """Keeps the value of a place. Raises `TraceEnd` when the time is over."""
        if time.monotonic() > self._deadline:
            self._cut.add("time")
            raise TraceEnd
        try:
            self._record(number, value, sys._getframe(1))
        except BaseException:  # a value may raise anything at whatever is asked of it
            self._cut.add("value")
        return value

    def result(self) -> frames.Frame:
        """The steps, as the frame that is sent."""
        serials = sorted(self._steps)
        index = {serial: i for i, serial in enumerate(serials)}
        steps = []
        for i, serial in enumerate(serials):
            reads = {index.get(self._stands_for(read), i) for read in self._steps[serial]["reads"]}
            earlier = sorted(read for read in reads if read < i)[-READS:]
            steps.append({**self._steps[serial], "reads": earlier})
        arrays = {str(index[serial]): array for serial, array in self._arrays.items()}
        return {"frame": "trace", "cut": sorted(self._cut), "steps": steps}, arrays

    def _stands_for(self, serial: int) -> int:
        return self._at[self._moved[serial]][-1] if serial in self._moved else serial

    # -- one value

    def _record(self, number: int, value: Any, frame: FrameType) -> None:
        place, activation = self._places[number], self._activation(frame)
        reads = self._reads(place, activation)
        if place.kind is Kind.ARGUMENT:
            reads = {self._alive[id(value)][0]} if id(value) in self._alive else set()
        values = enumerate(value) if _is_result(place, value) else [(-1, value)]
        made = set[int]()
        for item, each in values:
            suffix = f"[{item}]" if item >= 0 else ""
            made |= self._step(number, place, suffix, each, reads, activation)
        if place.kind is Kind.RETURN:
            if activation.parent is not None:
                activation.parent.returned |= made
        elif place.kind is not Kind.EXPRESSION:
            shared = (activation.depth == 0 and not place.function) or "." in place.name
            (self._shared if shared else activation.variables)[place.name] = made
        activation.flow[number] = made

    def _reads(self, place: Place, activation: _Activation) -> set[int]:
        reads, activation.returned = activation.returned, set()
        for name in place.names:
            reads |= activation.variables.get(name) or self._shared.get(name, set())
        for part in place.parts:
            reads |= activation.flow.get(part, set())
        return reads

    def _activation(self, frame: FrameType) -> _Activation:
        known = self._activations.get(id(frame))
        if known is not None and known.frame is frame:
            return known
        caller, parent = frame.f_back, None
        for _ in range(CALLERS):
            if caller is None or parent is not None:
                break
            parent, caller = self._activations.get(id(caller)), caller.f_back
        # calls that are over hold their variables no longer
        chain, above = {id(frame): _Activation(frame, parent)}, parent
        while above is not None:
            chain[id(above.frame)], above = above, above.parent
        self._activations = chain
        return chain[id(frame)]

    def _step(
        self,
        number: int,
        place: Place,
        suffix: str,
        value: Any,
        reads: set[int],
        activation: _Activation,
    ) -> set[int]:
        """Keeps a value; returns the steps that now stand for it."""
        dtype, array = _taken(value, self._framework)
        plain = place.kind in (Kind.EXPRESSION, Kind.LOOP)
        listed = type(value) in (list, tuple)
        if (listed or array is None or array.size < 2) if plain else dtype in SILENT:
            return reads
        self._serial += 1
        if not self._room(number, place):
            return reads
        step: dict[str, Any] = {
            "kind": str(place.kind),
            "name": place.name + suffix,
            "line": place.line,
            "function": place.function,
            "depth": activation.depth,
            "dtype": dtype,
            "reads": reads,
            "count": 1,
        }
        if place.kind is Kind.CHANGE and id(value) in self._given:
            step["first"] = self._given[id(value)]
        if array is not None:
            if getattr(value, "requires_grad", None) is True:
                step["grad"] = True
            self._keep(step, array, value)
        steps = self._at.setdefault(number, [])
        if len(steps) >= REPEATS:
            dropped = steps.pop()
            self._moved[dropped] = number
            step["count"] = self._steps.pop(dropped)["count"] + 1
            array = self._arrays.pop(dropped, None)
            self._kept_bytes -= 0 if array is None else array.nbytes
        steps.append(self._serial)
        self._steps[self._serial] = step
        return {self._serial}

    def _room(self, number: int, place: Place) -> bool:
        if len(self._at.get(number, ())) >= REPEATS:
            return True
        expression = place.kind is Kind.EXPRESSION
        if len(self._steps) >= STEPS or (expression and self._expressions >= EXPRESSIONS):
            self._cut.add("steps")
            return False
        self._expressions += expression
        return True

    def _keep(self, step: dict[str, Any], array: np.ndarray, value: Any) -> None:
        step["shape"], flat = list(array.shape), array.reshape(-1)
        finite = flat[np.isfinite(flat)]
        if finite.size:
            wide = finite.astype(np.float64)
            step["range"] = [float(wide.min()), float(wide.max()), float(wide.mean())]
        kept = array.copy() if array.size <= VALUES else flat[:SOME].copy()
        if self._kept_bytes + kept.nbytes > KEPT_BYTES or kept.dtype not in frames.NAMES:
            self._cut.add("bytes")
            return
        self._kept_bytes += kept.nbytes
        self._arrays[self._serial] = kept
        if self._alive_bytes + array.nbytes <= ALIVE_BYTES and array.ndim:
            known = self._alive.get(id(value))
            if known is None:
                self._alive_bytes += array.nbytes
            self._alive[id(value)] = (self._serial, value)
            if step["kind"] == Kind.ARGUMENT and not step["depth"]:
                self._given[id(value)] = step["name"]


def _is_result(place: Place, value: Any) -> bool:
    """Is it what a function returns, in several parts?"""
    return place.kind is Kind.RETURN and type(value) in (tuple, list) and len(value) <= 8


def _taken(value: Any, framework: str) -> tuple[str, Any]:
    """A value as its dtype or type, and an array where it is one of numbers."""
    kind = type(value)
    if kind in (list, tuple):
        dtype, array = as_array(value, "values")
        return (kind.__name__, array)
    dtype, array = as_array(value, framework)
    if array is None and framework == "torch" and kind is np.ndarray:
        dtype, array = as_array(value, "numpy")
    if array is None:
        return str(TYPE_NAME(kind))[:NAME_CHARS], None
    if frames.unfit(array.shape) or array.dtype not in frames.NAMES:
        return dtype, None
    return dtype, array


def began(namespace: Mapping[str, Any]) -> None:
    """Another call begins: only its steps are kept."""
    recorder = namespace.get(HOOK)
    if type(recorder) is Recorder:
        recorder.restart()


def result(namespace: Mapping[str, Any]) -> frames.Frame:
    """What was recorded."""
    recorder = namespace.get(HOOK)
    if type(recorder) is Recorder:
        return recorder.result()
    return {"frame": "trace", "cut": ["source"], "steps": []}, {}
