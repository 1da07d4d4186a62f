"""Runs an instructor's `cases.py` and sends the cases that it yields.

Runs inside the room only.
"""

import reprlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.case import Case, CaseError
from grader.inside.describe import describe


def make_cases(
    setup: dict[str, Any],
    send: Callable[[dict[str, Any], dict[str, np.ndarray]], None],
    receive: Callable[[], object],
) -> None:
    """Runs a cases.py, and sends one case at a time and its end."""
    namespace: dict[str, Any] = {"__name__": "cases"}
    try:
        exec(compile(setup["source"], "cases.py", "exec"), namespace)
        if not callable(namespace.get("cases")):
            raise NameError("cases.py defines no function cases(rng)")
        yielded = iter(namespace["cases"](np.random.default_rng(setup["seed"])))
        for index, case in enumerate(yielded):
            if not isinstance(case, Case):
                _refuse(yielded, case, index + 1)
            meta = {"frame": "case", "index": index, "case": case.to_meta()}
            send(meta, case.tensors())
            receive()
    except BaseException as error:
        send({"frame": "failed", "error": describe(error, setup["source"], "cases.py")}, {})
    else:
        send({"frame": "done"}, {})


def _refuse(yielded: Iterator[Any], value: object, number: int) -> None:
    """Raises what is wrong with a value that is no case, at the `yield` that gave it."""
    error = CaseError(
        f"cases.py yields Case objects, but its case {number} is {type(value).__name__}:"
        f" {reprlib.repr(value)}; write yield Case('its name', inputs=...)"
    )
    if hasattr(yielded, "throw"):
        yielded.throw(error)
    raise error
