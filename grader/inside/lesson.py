"""A lesson's program: runs it beside the references that it names, and returns the values that the
lesson's text and questions use.

Runs inside the room only.
"""

import math
import sys
import types
from typing import Any

import numpy as np

from grader.inside.describe import describe, name_of

DEPTH = 6  # of a value: a figure is a dict of lists
ENTRIES = 20_000  # numbers and texts in one value
TEXT_CHARS = 200  # of a label


class Unfit(Exception):
    """A value that no page can show: why, in words for the author."""


def ran(setup: dict[str, Any]) -> dict[str, Any]:
    """The reply for a lesson: the values of `names` that its program defines and of `expressions`,
    or the error of the program.
    """
    filename, source = "lesson.py", setup["source"]
    try:
        sys.modules["bank"] = _bank(setup["bank"])
        namespace: dict[str, Any] = {"__name__": "lesson"}
        exec(compile(source, filename, "exec"), namespace)
    except BaseException as error:
        return {"frame": "failed", "error": describe(error, source, filename)}
    wanted: dict[str, tuple[str, dict[str, Any]]]
    wanted = {name: (name, {}) for name in setup["names"] if name in namespace}
    wanted |= {each["key"]: (each["text"], each["given"]) for each in setup["expressions"]}
    values, unfit = {}, {}
    for key, (text, given) in wanted.items():
        try:
            values[key] = plain(_evaluated(text, {**namespace, **given}))
        except Unfit as error:
            unfit[key] = str(error)
    return {"frame": "values", "values": values, "unfit": unfit}


def _evaluated(text: str, namespace: dict[str, Any]) -> Any:
    try:
        return eval(text, namespace)
    except Exception as error:
        raise Unfit(f"{name_of(type(error))}: {error}") from None


def _bank(problems: list[dict[str, Any]]) -> types.ModuleType:
    """The module `bank`: every entry point of these problems, and each first one by its slug."""
    bank = types.ModuleType("bank")
    firsts = {}
    for problem in problems:
        namespace: dict[str, Any] = {"__name__": problem["slug"]}
        exec(compile(problem["source"], f"{problem['slug']}.py", "exec"), namespace)
        for name in problem["entries"]:
            setattr(bank, name, namespace[name])
        firsts[problem["slug"]] = namespace[problem["entries"][0]]
    bank.__dict__.update(firsts)
    return bank


def plain(value: Any, depth: int = DEPTH) -> Any:
    """A value as JSON has it: an array as lists, and what is not finite as text.

    Raises `Unfit` for what is neither a number, a text, an array, a list nor a dict, or too large.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = _listed(value)
    if value is None or type(value) in (bool, int):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else str(value)
    if type(value) is str:
        return value[:TEXT_CHARS]
    return _nested(value, depth)


def _listed(array: np.ndarray) -> Any:
    if array.dtype.kind not in "biufU" or array.size > ENTRIES:
        raise Unfit(
            f"an array of {array.dtype} with {array.size:,} entries; a page shows numbers, at most"
            f" {ENTRIES:,}"
        )
    return array.tolist()


def _nested(value: Any, depth: int) -> Any:
    if depth == 0:
        raise Unfit(f"a value that is nested more than {DEPTH} deep")
    if type(value) is dict and all(type(key) is str for key in value):
        return {key[:TEXT_CHARS]: plain(each, depth - 1) for key, each in value.items()}
    if type(value) in (list, tuple):
        if len(value) > ENTRIES:
            raise Unfit(f"a list of {len(value):,}; a page shows at most {ENTRIES:,}")
        return [plain(each, depth - 1) for each in value]
    raise Unfit(f"a {name_of(type(value))}; a page shows numbers, texts, arrays, lists and dicts")
