"""Values that only the learner's code knows, put into plain words: an exception, a result.

Runs inside the room only.
"""

import sys
import traceback
from typing import Any

import numpy as np

from grader.inside import frames

NAME_CHARS = 80  # of any name that is told
NAMES = 10  # of a list of names
TEXT_CHARS = 1000  # of a message, and of a traceback


class Absent:
    """Stands for a tensor that did not come: a code of what came instead, and its parameters."""

    def __init__(self, *parts: object) -> None:
        self.parts = parts or ("nothing",)


class Numbers:
    """Plain numbers of one type, or the bytes of a text, as an array."""

    def __init__(self, dtype: str, array: np.ndarray) -> None:
        self.dtype, self.array = dtype, array


def name_of(kind: type) -> str:
    """A class's name, which may be of any length."""
    return kind.__name__[:NAME_CHARS]


def describe(error: BaseException, source: str, filename: str = "solution.py") -> dict[str, Any]:
    """An exception as capped plain text; its own methods are the learner's and may raise."""
    name = name_of(type(error))
    try:
        text = str(error)[:TEXT_CHARS]
    except BaseException:
        text = "(its message cannot be read)"
    bases = [name_of(base) for base in type(error).__mro__[:NAMES]]
    described: dict[str, Any] = {"type": name, "text": text, "bases": bases}
    try:
        lines = source.splitlines()
        if isinstance(error, SyntaxError):
            described["lineno"] = error.lineno
            described["text"] = str(error.msg)[:500]
            described["trace"] = "".join(traceback.format_exception_only(error))[:TEXT_CHARS]
        else:
            steps = [
                (f.f_code.co_name, n)
                for f, n in traceback.walk_tb(error.__traceback__)
                if f.f_code.co_filename == filename
            ]
            described["lineno"] = steps[-1][1] if steps else None
            shown = steps if len(steps) <= 8 else [*steps[:4], *steps[-4:]]
            told = (
                f"line {n}, in {where[:NAME_CHARS]}: {lines[n - 1].strip()[:200]}"
                for where, n in shown
                if 0 < n <= len(lines)
            )
            described["trace"] = "\n".join(told)[:TEXT_CHARS]
    except BaseException:
        described.setdefault("lineno", None)
    return described


def plain(value: Any, framework: str) -> tuple[str, Any]:
    """A result as (true dtype or type name, numpy array or None), in a shape that is taken."""
    dtype, array = as_array(value, framework)
    wrong = "" if array is None else frames.unfit(array.shape)
    return (wrong, None) if wrong else (dtype, None if array is None else array.copy())


def as_array(value: Any, framework: str) -> tuple[str, Any]:
    """Only exact types count: a subclass can lie in every method."""
    kind = type(value)
    if kind is Absent:
        return frames.ABSENT + ":".join(map(str, value.parts)), None
    if kind is Numbers:
        return value.dtype, value.array
    if kind in (bool, int, float):
        return (
            (kind.__name__, np.asarray(value))
            if kind is not int or abs(value) < 2**63
            else ("a Python int beyond 64 bits", None)
        )
    if kind in (list, tuple) and framework == "values":
        try:
            table = np.array(value)
        except (ValueError, TypeError):
            table = np.array(None)
        if table.dtype.kind not in "iuf":  # text is no number, not even '1.0'
            return f"{kind.__name__} that is not a regular table of numbers", None
        return "list", table.astype(np.float64)
    if kind is np.ndarray or (issubclass(kind, np.generic) and kind.__module__ == "numpy"):
        if framework == "torch":
            return f"numpy.{name_of(kind)}", None
        array = np.asarray(value)
        name = frames.NAMES.get(array.dtype)
        if name is not None:
            return name, array
        return array.dtype.name + ("" if array.dtype.isnative else " in foreign byte order"), None
    if framework == "torch":
        return _plain_tensor(value)
    return _type_name(kind), None


def _type_name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"[:NAME_CHARS]


def _plain_tensor(value: Any) -> tuple[str, Any]:
    torch = sys.modules["torch"]
    kind = type(value)
    if kind not in (torch.Tensor, torch.nn.Parameter):
        return _type_name(kind), None
    name = str(value.dtype).removeprefix("torch.")
    if (
        value.layout != torch.strided
        or value.device.type != "cpu"
        or value.is_quantized
        or value.is_nested
    ):
        layout = "nested" if value.is_nested else value.layout
        return f"{name} tensor ({layout}, {value.device.type})".replace("torch.", ""), None
    value = value.detach().resolve_conj().resolve_neg()
    array = (
        value.float().numpy()
        if value.dtype == torch.bfloat16
        else value.numpy()
        if name in frames.DTYPES
        else None
    )
    return name, array
