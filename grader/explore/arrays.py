"""Arrays for people and programs: as JSON, and as Python that makes them again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.answers import Answer
from grader.case import Case
from grader.comparison import texts
from grader.comparison.compare import Expected, differences
from grader.inside.nested import TEXT
from grader.model import Run

MANY = 512  # numbers of an array whose values are told


@dataclass(frozen=True, slots=True)
class Output:
    """One tensor that a call brings back: the expected one, and what came, if anything did.

    `due` is the dtype that it must have, whatever `expected` is worked out in. `wrong` says where
    they differ, where they can be compared.
    """

    tensor: str
    expected: np.ndarray
    got: np.ndarray | None
    dtype: str  # what came, or what came in its place
    wrong: np.ndarray | None
    due: str

    @property
    def differs(self) -> bool:
        """Returns whether it is not as expected."""
        return self.wrong is None or bool(self.wrong.any())

    def to_json(self) -> dict[str, Any]:
        """Returns plain JSON types."""
        return {
            "tensor": self.tensor,
            "expected": {**array_json(self.expected), "dtype": self.due},
            "got": None if self.got is None else array_json(self.got),
            "dtype": self.dtype,
            "wrong": None if self.wrong is None or self.wrong.size > MANY else self.wrong.tolist(),
        }


def outputs(answer: Answer, run: Run) -> tuple[Output, ...]:
    """Returns each expected tensor beside what came, those that differ first."""
    compared = []
    for name, expected in answer.expected.items():
        got, dtype = run.tensors.get(name), run.dtypes.get(name, "")
        wrong = _wrong(got, dtype, expected)
        seen = None if got is None else texts.shown(got, dtype)
        compared.append(Output(name, expected.shown, seen, dtype, wrong, expected.dtype))
    return tuple(sorted(compared, key=lambda output: not output.differs))


def _wrong(got: np.ndarray | None, dtype: str, expected: Expected) -> np.ndarray | None:
    """Returns where what came differs; None where the two cannot be compared."""
    if got is None:
        return None
    if TEXT in (dtype, expected.dtype):
        same_kind = dtype == expected.dtype
        return np.array(got.tobytes() != expected.values.tobytes()) if same_kind else None
    return differences(got, expected)[0] if got.shape == expected.values.shape else None


def array_json(array: np.ndarray) -> dict[str, Any]:
    """Returns an array as plain JSON types; without its values where it has many."""
    values = _plain(array.tolist()) if array.size <= MANY else None
    dtype = TEXT if array.dtype.kind == "U" else array.dtype.name
    return {"dtype": dtype, "shape": list(array.shape), "values": values}


def arguments_json(case: Case) -> dict[str, Any]:
    """Returns what a case passes as plain JSON types, by group and name."""
    return {
        "inputs": _arrays_json(case.inputs),
        "options": {name: _plain(value) for name, value in case.options.items()},
        "init": {name: _plain(value) for name, value in case.init.items()},
        "state": _arrays_json(case.state),
        "before": _arrays_json(case.before),
        "layout": dict(case.layout),
        "call": case.call,
        "then": case.then,
    }


def _arrays_json(arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    return {name: array_json(array) for name, array in arrays.items()}


def _plain(value: Any) -> Any:
    """JSON has no infinity and no NaN, so they become text."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value


def numbers(case: Case) -> int:
    """Returns how many numbers a case passes."""
    return sum(array.size for array in case.tensors().values())


def as_python(case: Case) -> str | None:
    """Returns a case's arguments as `grade try` reads them; None where they are many numbers."""
    if numbers(case) > MANY or case.before:
        return None
    given = {name: repr(value) for name, value in (*case.init.items(), *case.options.items())}
    given |= {name: array_text(array) for name, array in case.inputs.items()}
    given |= {variable(name): array_text(array) for name, array in case.state.items()}
    call = [f"call = {case.call!r}"] if case.call else []
    return "\n".join([*call, *(f"{name} = {text}" for name, text in given.items())]) + "\n"


def variable(parameter: str) -> str:
    """Returns the name that a module's parameter has in a file: W_q.weight is W_q_weight."""
    return parameter.replace(".", "_")


def array_text(array: np.ndarray) -> str:
    """Returns an array as Python that makes it again."""
    text = np.array2string(
        array, separator=", ", threshold=array.size + 1, floatmode="unique", max_line_width=10**6
    )
    text = " ".join(text.split())
    shape = f".reshape({array.shape})" if not array.size else ""
    return f"np.array({text}, np.{array.dtype.name}){shape}"
