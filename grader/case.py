"""One test case, as an instructor's `cases.py` yields it.

This file also lies in the sealed room (beside the folder `inside`), where `cases.py` runs, so it
imports the standard library and numpy only. A case holds inputs and the reason it exists, never an
expected value.
"""

import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

import numpy as np

Drawn = TypeVar("Drawn")
Scalar = bool | int | float | str | None
LAYOUTS = ("contiguous", "strided", "transposed", "readonly")
ARRAYS = ("inputs", "state", "before")  # the fields of a case that hold arrays by name
# of what is drawn at random, as `mean.NAME` in `wants`
STATISTICS = ("mean", "least", "most", "spread")
TEXTS = ("name", "call", "then", "raises", "same", "note", "rule")
LISTS = ("wants", "labels")
VIEWS = "Takes views and read-only arrays"
# the cases that `standard` makes: the name, why it exists and the rule of each
STANDARD = {
    "strided": ("views with gaps", "The elements of the inputs lie apart, as in a slice.", VIEWS),
    "transposed": ("views, the first axis fastest", "Inputs as after a transposition.", VIEWS),
    "readonly": ("read-only inputs", "In NumPy these inputs refuse to be written into.", VIEWS),
    "float64": ("inputs in float64", "Results have the dtype of the inputs.", "Keeps precision"),
    "afterwards": (
        "the inputs afterwards",
        "The inputs still belong to the caller. Only they are looked at, in float64.",
        "Leaves its inputs alone",
    ),
    "again": ("a second call", "Another call came before.", "Remembers nothing between calls"),
}
LARGEST_MIB = 10**6  # that can be tried at all; `grade verify` wants far less
_KEY = re.compile(r"\w{1,40}")


def root(name: str) -> str:
    """Returns the argument or result to which a leaf such as `cache.k[2]` belongs."""
    return re.split(r"[.\[]", name, maxsplit=1)[0]


class CaseError(ValueError):
    """A case that cannot be judged: an instructor's mistake, worded for the instructor."""


@dataclass(frozen=True, slots=True)
class Case:
    """Inputs for one call of the learner's entry point.

    Arrays are passed under the parameter names of the problem's `entry`; required parameters go by
    position, optional ones by keyword. Raises `CaseError` when a field has the wrong type.
    """

    name: str
    # array arguments by parameter name; a dict, list or tuple of arrays is taken apart, so that
    # its arrays stand here under names such as `cache.k[2]`
    inputs: Mapping[str, np.ndarray] = field(default_factory=dict)
    # plain arguments by parameter name: scalars, and lists and dicts of scalars
    options: Mapping[str, Any] = field(default_factory=dict)
    call: str = ""  # which entry point; empty means the problem's first
    then: str = ""  # another entry point, applied to the first one's result (a round trip)
    # constructor arguments of an nn.Module
    init: Mapping[str, Scalar] = field(default_factory=dict)
    state: Mapping[str, np.ndarray] = field(default_factory=dict)  # its parameters by name
    # array arguments of an earlier call, whose result is not looked at
    before: Mapping[str, np.ndarray] = field(default_factory=dict)
    # tensors to bring back; empty means all that are returned. Also grad.NAME, after.NAME
    wants: tuple[str, ...] = ()
    layout: Mapping[str, str] = field(default_factory=dict)  # input name -> one of LAYOUTS
    raises: str = ""  # the name of the exception that the call must raise
    train: bool = False  # put the module in train mode
    draws: int = 0  # call it so often; judge statistics of what is returned (`STATISTICS`)
    memory_mib: int | None = None  # this case's own memory limit
    # CPU limit as a multiple of the reference's on the same machine
    cpu_factor: float | None = None
    # takes long: known mistakes run in it only where no other case refuses them
    slow: bool = False
    points: int = 1
    sample: bool = False  # shown to the learner with its numbers
    labels: tuple[str, ...] = ()  # token names for the pictures of a sample
    same: str = ""  # why two sizes of this case coincide on purpose
    note: str = ""  # why the case exists; a learner may read it
    rule: str = ""  # which rule of the statement it checks; empty means the definition itself
    # how the arrays of `inputs` and `before` are put together again; made from them
    nested: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._take_apart()
        for name in ARRAYS:
            for key, value in getattr(self, name).items():
                if type(value) is not np.ndarray or value.dtype.kind not in "biuf":
                    kind = getattr(value, "dtype", type(value).__name__)
                    raise CaseError(
                        f"case '{self.name}': {name}['{key}'] is {kind}; give a numpy array of"
                        " booleans, integers or floats"
                    )
        for name in ("options", "init"):
            for key, value in getattr(self, name).items():
                if not _is_plain(value, lists=name == "options"):
                    raise CaseError(
                        f"case '{self.name}': {name}['{key}'] is {type(value).__name__}; give a"
                        " plain bool, int, float, str or None"
                    )
        for key, layout in self.layout.items():
            if key not in self.inputs or layout not in LAYOUTS:
                raise CaseError(
                    f"case '{self.name}': layout['{key}'] = '{layout}'; name an input and one of"
                    f" {', '.join(LAYOUTS)}"
                )
        self._check_types()
        if not self.name or not isinstance(self.points, int) or self.points < 0:
            raise CaseError(f"case '{self.name}': a case needs a name and points of 0 or more")

    def _check_types(self) -> None:
        """What the judge computes with or sorts by has the type that it relies on."""
        lists = {name: getattr(self, name) for name in LISTS}
        size, factor = self.memory_mib, self.cpu_factor
        wrong = {name: "a text" for name in TEXTS if not isinstance(getattr(self, name), str)}
        wrong |= {
            name: "a list or tuple of texts"
            for name, value in lists.items()
            if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value)
        }
        if type(self.draws) is not int or self.draws < 0:
            wrong["draws"] = "a whole number of 0 or more"
        if size is not None and (type(size) is not int or not 1 <= size <= LARGEST_MIB):
            wrong["memory_mib"] = f"a whole number from 1 to {LARGEST_MIB}"
        if factor is not None and (
            isinstance(factor, bool) or not isinstance(factor, int | float) or not factor > 0
        ):
            wrong["cpu_factor"] = "a number above 0"
        for name, due in wrong.items():
            raise CaseError(f"case '{self.name}': {name} = {getattr(self, name)!r:.80}; give {due}")

    def _take_apart(self) -> None:
        for group in ("inputs", "before"):
            given = getattr(self, group)
            if not any(type(value) in (dict, list, tuple) for value in given.values()):
                continue
            flat: dict[str, np.ndarray] = {}
            nodes = {}
            for key, value in given.items():
                if type(value) in (dict, list, tuple):
                    nodes[key] = _node(f"case '{self.name}': {group}", key, value, flat)
                else:
                    flat[key] = value
            object.__setattr__(self, group, flat)
            object.__setattr__(self, "nested", {**self.nested, group: nodes})

    def arguments(self, group: str = "inputs") -> list[str]:
        """Returns the names of the arguments that `inputs` or `before` give."""
        nodes = self.nested.get(group, {})
        flat = [name for name in getattr(self, group) if root(name) not in nodes]
        return [*flat, *nodes]

    def to_meta(self) -> dict[str, Any]:
        """Everything but the arrays, ready for JSON."""
        meta = {f.name: _plain(getattr(self, f.name)) for f in fields(self) if f.name not in ARRAYS}
        return meta | {"order": {group: list(getattr(self, group)) for group in ARRAYS}}

    def tensors(self) -> dict[str, np.ndarray]:
        """The arrays under wire names: `inputs.NAME`, `state.NAME` and `before.NAME`."""
        return {
            f"{group}.{key}": value
            for group in ARRAYS
            for key, value in getattr(self, group).items()
        }

    @classmethod
    def from_meta(cls, meta: Mapping[str, Any], tensors: Mapping[str, np.ndarray]) -> "Case":
        """The inverse of `to_meta` and `tensors`. Raises `CaseError` on an unknown field."""
        known = {f.name for f in fields(cls)} - set(ARRAYS)
        unknown = sorted(set(meta) - known - {"order"})
        if unknown:
            raise CaseError(f"case field '{unknown[0]}' is unknown")
        values: dict[str, Any] = {
            key: tuple(value) if key in LISTS and isinstance(value, list) else value
            for key, value in meta.items()
            if key != "order"
        }
        parts: dict[str, dict[str, np.ndarray]] = {group: {} for group in ARRAYS}
        for key, value in tensors.items():
            group, _, name = key.partition(".")
            parts[group][name] = value
        for group, names in meta.get("order", {}).items():
            parts[group] = {name: parts[group][name] for name in names}
        return cls(**values, **parts)  # type: ignore[arg-type]


def only_cases(yielded: Iterable[Any]) -> Iterator[Case]:
    """Yields the cases of a cases.py. Raises `CaseError`, at its `yield`, for anything else."""
    source = iter(yielded)
    for number, value in enumerate(source, 1):
        if not isinstance(value, Case):
            error = CaseError(
                f"cases.py yields Case objects, but its case {number} is {type(value).__name__}:"
                f" {reprlib.repr(value)}; write yield Case('its name', inputs=...)"
            )
            if hasattr(source, "throw"):
                source.throw(error)
            raise error
        yield value


def until(
    case: str, draw: Callable[[], Drawn], fit: Callable[[Drawn], bool], tries: int = 10_000
) -> Drawn:
    """Returns the first draw that is fit for the case of this name (docs/design/drawing-again.md).

    Raises `CaseError` when none of so many is.
    """
    for _ in range(tries):
        drawn = draw()
        if fit(drawn):
            return drawn
    raise CaseError(
        f"case '{case}': none of {tries} draws is fit; draw so that more of them are, or ask less"
    )


def in_float64(case: Case) -> Case:
    """Returns the same case with every float in float64.

    Who converts arguments to float64 then gets the caller's own arrays, not copies of them.
    """

    def wide(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {
            name: a.astype(np.float64) if a.dtype.kind == "f" else a for name, a in arrays.items()
        }

    return replace(case, inputs=wide(case.inputs), state=wide(case.state), before=wide(case.before))


def standard(draw: Callable[[], Case], *names: str, rules: bool = True) -> Iterator[Case]:
    """Yields the cases that many problems share, by their names in `STANDARD`.

    `draw` is called for each and returns a plain case with values of its own; name, note and, with
    `rules`, the rule are replaced. Raises `CaseError` for a name that is not known.
    """
    for name in names:
        if name not in STANDARD:
            known = ", ".join(STANDARD)
            raise CaseError(f"standard(): no case is called {name!r}; choose among {known}")
        title, note, rule = STANDARD[name]
        case = replace(draw(), name=title, note=note, rule=rule if rules else "", sample=False)
        if name == "float64":
            case = in_float64(case)
        elif name == "afterwards":
            case = replace(in_float64(case), wants=tuple(f"after.{each}" for each in case.inputs))
        elif name == "again":
            earlier = draw()
            nested = {group: nodes for group, nodes in case.nested.items() if group != "before"}
            if "inputs" in earlier.nested:
                nested["before"] = earlier.nested["inputs"]
            case = replace(case, before=earlier.inputs, nested=nested)
        else:
            case = replace(case, layout=dict.fromkeys(case.inputs, name))
        yield case


def _is_plain(value: Any, lists: bool) -> bool:
    if lists and isinstance(value, list | tuple):
        return all(_is_plain(item, lists) for item in value)
    if lists and isinstance(value, dict):
        return all(isinstance(k, str) and _is_plain(v, lists) for k, v in value.items())
    return isinstance(value, bool | int | float | str | None)


def _node(where: str, name: str, value: Any, flat: dict[str, np.ndarray]) -> dict[str, Any]:
    """Takes a value apart: its arrays go into `flat`; returns how they belong together."""
    if type(value) is np.ndarray:
        flat[name] = value
        return {"array": name}
    if isinstance(value, dict):
        wrong = next((k for k in value if not (isinstance(k, str) and _KEY.fullmatch(k))), None)
        if wrong is not None:
            raise CaseError(f"{where}['{name}'] has the key {wrong!r}; use letters, digits and _")
        parts = {k: _node(where, f"{name}.{k}", v, flat) for k, v in value.items()}
        return {"dict": parts}
    if isinstance(value, list | tuple):
        items = [_node(where, f"{name}[{i}]", v, flat) for i, v in enumerate(value)]
        return {type(value).__name__: items}
    if _is_plain(value, lists=False):
        return {"plain": value}
    raise CaseError(
        f"{where}['{name}'] is {type(value).__name__}; give numpy arrays, plain values, or dicts,"
        " lists and tuples of them"
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value
