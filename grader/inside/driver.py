"""Runs a problem's driver: the code of its author that calls a solution several times in one case.

The driver is compiled before the solution runs, and gets a new namespace in each case, so that
nothing that a solution leaves there lasts. Runs inside the room only: docs/sandbox.md says what a
solution can still do.
"""

from collections.abc import Callable, Collection, Mapping
from types import CodeType
from typing import Any

from grader.inside.arguments import BadState, bind, built
from grader.inside.describe import describe, name_of

FILE = "driver.py"  # in tracebacks


class Solution:
    """What a driver sees of a solution: the declared names, and `make`."""

    __slots__ = ("_names", "_namespace", "make")

    def __init__(
        self, namespace: Mapping[str, Any], names: Collection[str], make: Callable[[], Any]
    ) -> None:
        self._namespace, self._names = namespace, names
        # a new object of the first class, as the case's `init` and `state` say
        self.make = make

    def __getattr__(self, name: str) -> Any:
        if name not in self._names:
            known = ", ".join(self._names)
            raise AttributeError(f"problem.toml declares no entry '{name}'; it has {known}, make")
        return self._namespace[name]


def compiled(source: str) -> CodeType:
    """Returns the code of a driver, to be kept apart from the solution."""
    return compile(source, FILE, "exec")


def driven(
    namespace: dict[str, Any], setup: dict[str, Any], meta: dict[str, Any], tensors: dict[str, Any]
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Returns the driver's `run` for one case, with the solution given, and the parameters of the
    module that it makes last (filled as it is made).
    """
    own: dict[str, Any] = {"__name__": "driver"}
    exec(setup["driver_code"], own)
    if not callable(own.get("run")):
        raise TypeError("the driver defines no function run(solution, ...)")
    parameters: dict[str, Any] = {}

    def make() -> Any:
        made, theirs = _made(namespace, setup, meta, tensors)
        parameters.clear()
        parameters.update(theirs)
        return made

    solution = Solution(namespace, setup["names"], make)
    return lambda **given: own["run"](solution, **given), parameters


def _made(
    namespace: dict[str, Any], setup: dict[str, Any], meta: dict[str, Any], tensors: dict[str, Any]
) -> tuple[Any, dict[str, Any]]:
    name = setup["names"][0]
    entry = {**meta["entry"], "name": name}
    if setup["kind"] == "module":
        state = {key[6:]: tensors[key] for key in sorted(tensors) if key.startswith("state.")}
        return built(namespace[name], entry, meta["case"], state, tensors)
    bound, keywords = bind(entry["init"], meta["case"]["init"])
    made = namespace[name](*bound, **keywords)
    # a class whose `__new__` gives something else is no class of the learner's
    if setup["kind"] == "class" and type(made) is not namespace[name]:
        raise BadState("not_an_object", entry=name, made=name_of(type(made)))
    return made, {}


def place(error: BaseException, setup: dict[str, Any]) -> dict[str, Any]:
    """Returns the line of the driver at which an exception came: as a trace, and its code."""
    if "driver_code" not in setup:
        return {}
    told = describe(error, setup["driver"], FILE)
    steps = told.get("trace", "").splitlines()
    if not steps:
        return {}
    code = setup["driver"].splitlines()[told["lineno"] - 1].strip()
    return {"trace": f"driver {steps[-1]}", "details": {"driver": code}}
