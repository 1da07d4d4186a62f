"""The fields of the form for one's own input: one for each argument, with a sample's values."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.explore.arrays import array_text
from grader.problem import Problem

Json = Mapping[str, Any]
LARGEST = 64  # numbers of an array that is written out
PREFIX = "input-"
ASSIGNMENT = re.compile(r"([^\W\d]\w*) = (.*)")  # as `written` makes them


@dataclass(frozen=True, slots=True)
class Field:
    """An argument, and the expression that its field begins with."""

    name: str
    value: str

    @property
    def field(self) -> str:
        """The name of the form's field."""
        return PREFIX + self.name


def fields(problem: Problem, samples: Sequence[Json], form: Mapping[str, str]) -> list[Field]:
    """Returns a field for each argument; what was sent stands in it again."""
    values = _of_sample(problem, samples)
    given = {name.removeprefix(PREFIX): form[name] for name in form if name.startswith(PREFIX)}
    return [Field(name, text) for name, text in {**values, **given}.items()]


def of_text(problem: Problem, samples: Sequence[Json], text: str) -> list[Field]:
    """Returns the fields that made these assignments; those that are not among them are empty."""
    lines: dict[str, list[str]] = {name: [] for name in _of_sample(problem, samples)}
    name = ""
    for line in text.splitlines():
        if match := ASSIGNMENT.fullmatch(line):
            name, line = match.groups()
        lines.setdefault(name, []).append(line)
    return [Field(name, "\n".join(value)) for name, value in lines.items() if name]


def written(form: Mapping[str, str]) -> str:
    """Returns the assignments that the fields of a form make, those that are empty left out."""
    lines = [
        f"{name.removeprefix(PREFIX)} = {value.strip()}"
        for name, value in form.items()
        if name.startswith(PREFIX) and name.removeprefix(PREFIX).isidentifier() and value.strip()
    ]
    return "\n".join(lines)


def _of_sample(problem: Problem, samples: Sequence[Json]) -> dict[str, str]:
    """The arguments of the smallest sample, and the other ones of its entry point, empty."""
    written_out = [arguments for sample in samples if (arguments := texts(sample)) is not None]
    shortest = min(written_out, key=lambda arguments: sum(map(len, arguments.values())), default={})
    entry = problem.entry()
    names = [parameter.name for parameter in (*entry.init, *entry.params)]
    call = {"call": repr(entry.name)} if len(problem.entries) > 1 else {}
    return {**call, **dict.fromkeys(names, ""), **shortest}


def texts(sample: Json) -> dict[str, str] | None:
    """The arguments of a sample as Python; None where one is large, or the call must fail."""
    inputs = sample["inputs"]
    if sample.get("raises") or any(not _is_small(tensor) for tensor in inputs.values()):
        return None
    call = {"call": repr(sample["call"])} if sample.get("call") else {}
    arrays = {name.replace(".", "_"): _array_text(tensor) for name, tensor in inputs.items()}
    return {**call, **{n: repr(v) for n, v in sample.get("options", {}).items()}, **arrays}


def _is_small(tensor: Json) -> bool:
    size = 1
    for length in tensor["shape"]:
        size *= length
    return "data" in tensor and 0 < size <= LARGEST


def _array_text(tensor: Json) -> str:
    return array_text(np.array(tensor["data"], tensor["dtype"]).reshape(tensor["shape"]))
