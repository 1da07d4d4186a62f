"""One finding as a value, and its JSON."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from grader.findings.codes import (
    CAME,
    CHOICES,
    FLAG,
    INTEGER,
    INTEGERS,
    NUMBER,
    OPTIONAL_INTEGER,
    OPTIONAL_NUMBER,
    PARAMETERS,
    PATTERN,
    PLACES,
    REDACTED,
    TEXT,
    TEXTS,
    Came,
    Code,
    Pattern,
    Place,
)

Value = Any  # of the type that `PARAMETERS` names


@dataclass(frozen=True, slots=True)
class Detail:
    """A part of a finding that has a code of its own: a place, a pattern, what came instead."""

    code: StrEnum
    parameters: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with the result of a case.

    `line` is the line of the source, `loading` is set when it happened before any call. A finding
    about a hidden case that has no public twin has no parameters.
    """

    code: Code
    parameters: Mapping[str, Value] = field(default_factory=dict)
    line: int | None = None
    loading: bool = False

    @property
    def bare(self) -> bool:
        """Returns whether only the code is told."""
        return not self.parameters and bool(PARAMETERS[self.code])


def finding(code: Code, line: int | None = None, **parameters: Value) -> Finding:
    """Returns a finding with all its parameters.

    Raises `ValueError` when one is missing or unknown.
    """
    _check(code, parameters)
    return Finding(code, parameters, line)


def detail(code: StrEnum, **parameters: Value) -> Detail:
    """Returns a detail with all its parameters. Raises `ValueError` as `finding` does."""
    _check(code, parameters)
    return Detail(code, parameters)


def _check(code: StrEnum, parameters: Mapping[str, Value]) -> None:
    if parameters.keys() != PARAMETERS[code].keys():
        raise ValueError(f"{code!r} has the parameters {', '.join(PARAMETERS[code])}")


def to_json(item: Finding) -> dict[str, Any]:
    """Returns a finding as plain JSON types, without its sentence."""
    told: dict[str, Any] = {"code": str(item.code)}
    told |= {name: _plain(value) for name, value in item.parameters.items()}
    if item.line is not None:
        told["line"] = item.line
    if item.loading:
        told["loading"] = True
    return told


def _plain(value: Value) -> Any:
    if isinstance(value, Detail):
        return {"code": str(value.code)} | {n: _plain(v) for n, v in value.parameters.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no such number
    return value


def from_json(data: Mapping[str, Any]) -> Finding:
    """Reads a finding back. Raises `ValueError` for an unknown code or a wrong parameter."""
    code = Code(str(data.get("code")))
    line, loading = data.get("line"), data.get("loading", False)
    if type(line) not in (int, type(None)) or type(loading) is not bool:
        raise ValueError(f"finding '{code}' has a wrong line or phase")
    return Finding(code, _read_all(code, data), line, loading)


def _read_all(code: StrEnum, data: Mapping[str, Any]) -> dict[str, Value]:
    kinds = PARAMETERS[code]
    if code in REDACTED and not any(name in data for name in kinds):
        return {}
    return {name: _read(data.get(name), kind) for name, kind in kinds.items()}


_TYPES: Mapping[str, tuple[type, ...]] = {
    TEXT: (str,),
    INTEGER: (int,),
    NUMBER: (int, float),
    FLAG: (bool,),
    OPTIONAL_INTEGER: (int, type(None)),
    OPTIONAL_NUMBER: (int, float, type(None)),
    "boolean or null": (bool, type(None)),
}
_ITEMS: Mapping[str, type] = {TEXTS: str, INTEGERS: int}
_DETAILS: Mapping[str, type[StrEnum]] = {CAME: Came, PATTERN: Pattern, PLACES: Place}


def _read(value: Any, kind: str) -> Value:
    if kind in (NUMBER, OPTIONAL_NUMBER) and value in ("inf", "-inf", "nan"):
        return float(value)
    if kind in _TYPES and type(value) in _TYPES[kind]:
        return value
    if kind in CHOICES and value in CHOICES[kind]:
        return value
    if kind in _ITEMS and isinstance(value, list):
        if all(type(item) is _ITEMS[kind] for item in value):
            return tuple(value)
    elif kind == PLACES and isinstance(value, list):
        return tuple(_read_detail(item, Place) for item in value)
    elif kind in (CAME, PATTERN):
        return None if value is None else _read_detail(value, _DETAILS[kind])
    raise ValueError(f"{value!r:.60} is not a {kind}")


def details(data: Iterable[Any], codes: type[StrEnum]) -> tuple[Detail, ...]:
    """Reads details back. Raises `ValueError` for an unknown code or a wrong parameter."""
    return tuple(_read_detail(item, codes) for item in data)


def plain_details(items: Iterable[Detail]) -> list[Any]:
    """Returns details as plain JSON types."""
    return [_plain(each) for each in items]


def _read_detail(data: Any, codes: type[StrEnum]) -> Detail:
    if not isinstance(data, Mapping):
        raise ValueError(f"{data!r:.60} has no code")
    code = codes(str(data.get("code")))
    return Detail(code, _read_all(code, data))


def read_findings(case: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Returns the findings in the JSON of a case.

    A case of version 1, or of a program with other findings than this one, has none: its English
    message stands for itself.
    """
    try:
        return tuple(from_json(item) for item in case.get("findings", ()))
    except (ValueError, TypeError, AttributeError):
        return ()
