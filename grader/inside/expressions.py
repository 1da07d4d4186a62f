"""Inputs that a learner writes down: one assignment for each argument, evaluated in the room.

Nothing of a problem is in the process that does this. What is refused here is refused to help; the
room is what keeps a hostile expression harmless.
"""

import ast
import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import numpy as np

from grader.inside import frames

STATEMENTS = 64
BYTES = 1 << 19  # of all arrays together
TEXT_CHARS = 80  # of a name
MESSAGE_CHARS = 300  # of what an exception says
BUILTINS = (abs, bool, float, int, len, list, max, min, range, round, sum, tuple)
REFUSED = (ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


class Fault(StrEnum):
    """Why what was written is no input."""

    SYNTAX = "syntax"
    NOT_AN_ASSIGNMENT = "not_an_assignment"
    NOT_SIMPLE = "not_simple"
    TOO_MANY = "too_many"
    RAISED = "raised"
    NOT_A_VALUE = "not_a_value"
    TOO_LARGE = "too_large"
    TOO_MUCH_MEMORY = "too_much_memory"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"


class Faulty(Exception):
    """What was written is no input: a fault, the line, and what it is about."""

    def __init__(self, fault: Fault, line: int | None = None, **details: str) -> None:
        self.fault, self.line, self.details = fault, line, details


def evaluate(source: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The reply for a source: its values by name, or what is wrong with it."""
    try:
        return _values(source)
    except Faulty as fault:
        details = {**fault.details}
        text = details.pop("text", "")  # may be longer than a detail
        error = {"type": str(fault.fault), "lineno": fault.line, "text": text, "details": details}
        return {"frame": "failed", "error": error}, {}


def _values(source: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    namespace: dict[str, Any] = {
        "__builtins__": {function.__name__: function for function in BUILTINS},
        "np": np,
        "nan": float("nan"),
        "inf": float("inf"),
        "rng": np.random.default_rng(0),
    }
    if "torch" in sys.modules:
        namespace["torch"] = sys.modules["torch"]
    arrays: dict[str, np.ndarray] = {}
    scalars: dict[str, Any] = {}
    literals = []
    for name, expression in _assignments(source):
        value = _evaluated(name, expression, namespace)
        namespace[name] = value
        arrays.pop(name, None)
        scalars.pop(name, None)
        if type(value) in (bool, int, float, str, type(None)):
            scalars[name] = _scalar(name, value, expression)
            continue
        arrays[name] = _array(name, value, expression)
        if type(value) in (list, tuple):
            literals.append(name)
        if sum(array.nbytes for array in arrays.values()) > BYTES:
            raise Faulty(Fault.TOO_LARGE, expression.lineno, name=name)
    return {"frame": "inputs", "scalars": scalars, "literals": literals}, arrays


def _assignments(source: str) -> Iterator[tuple[str, ast.expr]]:
    try:
        body = ast.parse(source, "inputs.py").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        text = str(error.msg) if isinstance(error, SyntaxError) else type(error).__name__
        line = getattr(error, "lineno", None)
        raise Faulty(Fault.SYNTAX, line, text=text[:MESSAGE_CHARS]) from None
    if len(body) > STATEMENTS:
        raise Faulty(Fault.TOO_MANY, limit=str(STATEMENTS))
    for each in body:
        if isinstance(each, ast.Import | ast.ImportFrom) and _known(each):
            continue
        target = each.targets[0] if isinstance(each, ast.Assign) else None
        if not isinstance(each, ast.Assign) or not isinstance(target, ast.Name):
            raise Faulty(Fault.NOT_AN_ASSIGNMENT, each.lineno)
        if len(each.targets) > 1 or not _simple(each.value):
            raise Faulty(Fault.NOT_SIMPLE, each.lineno, name=target.id[:TEXT_CHARS])
        yield target.id[:TEXT_CHARS], each.value


def _known(statement: ast.Import | ast.ImportFrom) -> bool:
    """Is it an import of what is there anyway?"""
    return ast.unparse(statement) in ("import numpy as np", "import torch")


def _simple(expression: ast.expr) -> bool:
    return not any(
        isinstance(node, REFUSED)
        or (isinstance(node, ast.Attribute) and node.attr.startswith("_"))
        or (isinstance(node, ast.Name) and node.id.startswith("__"))
        for node in ast.walk(expression)
    )


def _evaluated(name: str, expression: ast.expr, namespace: dict[str, Any]) -> Any:
    try:
        value = eval(compile(ast.Expression(expression), "inputs.py", "eval"), namespace)
        if isinstance(value, np.generic):
            return value.item()
        return value
    except MemoryError:
        raise Faulty(Fault.TOO_MUCH_MEMORY) from None
    except BaseException as error:
        kind = type(error).__name__[:TEXT_CHARS]
        try:
            text = " ".join(str(error)[:MESSAGE_CHARS].split())
        except BaseException:
            text = ""
        details = {"name": name, "error": kind, "text": text}
        raise Faulty(Fault.RAISED, expression.lineno, **details) from None


def _scalar(name: str, value: Any, expression: ast.expr) -> Any:
    large = (type(value) is int and not -(2**63) <= value < 2**63) or (
        type(value) is str and len(value) > TEXT_CHARS
    )
    if large:
        raise Faulty(Fault.TOO_LARGE, expression.lineno, name=name)
    return value


def _array(name: str, value: Any, expression: ast.expr) -> np.ndarray:
    """The value as an array of a dtype that a case can have."""
    kind = f"{type(value).__name__}"[:TEXT_CHARS]
    unfit = Faulty(Fault.NOT_A_VALUE, expression.lineno, name=name, type=kind)
    try:
        if type(value).__module__ == "torch":
            value = value.detach().numpy()
        array: np.ndarray = np.array(value)
    except BaseException:
        raise unfit from None
    if array.dtype not in frames.NAMES or frames.unfit(array.shape):
        raise unfit
    return array
