"""One test case, as an instructor's `cases.py` yields it.

This file also lies in the sealed room (beside the folder `inside`), where `cases.py` runs, so it
imports the standard library and numpy only. A case holds inputs and the reason it exists, never an
expected value.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

Scalar = bool | int | float | str | None
LAYOUTS = ("contiguous", "strided", "readonly")
ARRAYS = ("inputs", "state", "before")  # the fields of a case that hold arrays by name
# of what is drawn at random, as `mean.NAME` in `wants`
STATISTICS = ("mean", "least", "most", "spread")


class CaseError(ValueError):
    """A case that cannot be judged: an instructor's mistake, worded for the instructor."""


@dataclass(frozen=True, slots=True)
class Case:
    """Inputs for one call of the learner's entry point.

    Arrays are passed under the parameter names of the problem's `entry`; required parameters go by
    position, optional ones by keyword. Raises `CaseError` when a field has the wrong type.
    """

    name: str
    # array arguments by parameter name
    inputs: Mapping[str, np.ndarray] = field(default_factory=dict)
    # plain scalar arguments by parameter name
    options: Mapping[str, Scalar] = field(default_factory=dict)
    call: str = ""  # which entry point; empty means the problem's first
    then: str = ""  # another entry point, applied to the first one's result (a round trip)
    # constructor arguments of an nn.Module
    init: Mapping[str, Scalar] = field(default_factory=dict)
    state: Mapping[str, np.ndarray] = field(default_factory=dict)  # its parameters by name
    # array arguments of an earlier call, whose result is not looked at
    before: Mapping[str, np.ndarray] = field(default_factory=dict)
    # tensors to bring back; empty means all that are returned. Also grad.NAME, after.NAME
    wants: tuple[str, ...] = ()
    layout: Mapping[str, str] = field(default_factory=dict)  # input name -> "strided" or "readonly"
    raises: str = ""  # the name of the exception that the call must raise
    train: bool = False  # put the module in train mode
    draws: int = 0  # call it so often; judge statistics of what is returned (`STATISTICS`)
    memory_mib: int | None = None  # this case's own memory limit
    # CPU limit as a multiple of the reference's on the same machine
    cpu_factor: float | None = None
    points: int = 1
    sample: bool = False  # shown to the learner with its numbers
    labels: tuple[str, ...] = ()  # token names for the pictures of a sample
    same: str = ""  # why two sizes of this case coincide on purpose
    note: str = ""  # why the case exists; a learner may read it
    rule: str = ""  # which rule of the statement it checks; empty means the definition itself

    def __post_init__(self) -> None:
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
                if not isinstance(value, bool | int | float | str | None):
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
        if not self.name or not isinstance(self.points, int) or self.points < 0:
            raise CaseError(f"case '{self.name}': a case needs a name and points of 0 or more")

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
            key: tuple(value) if key in ("wants", "labels") else value
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


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value
