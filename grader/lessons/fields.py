"""The fields of a figure, read one by one and checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.errors import ProblemError
from grader.problem import did_you_mean

Matrix = list[list[Any]]


@dataclass
class Fields:
    """The fields of a figure, read one by one; each error names the figure."""

    name: str
    where: str
    data: Any
    words: Mapping[str, str] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)

    def wrong(self, what: str) -> ProblemError:
        """An error that names the figure."""
        return ProblemError(f"{self.where}: figure '{self.name}': {what}")

    def get(self, key: str, *default: Any) -> Any:
        """The value of a field. Raises `ProblemError` where it is missing."""
        if type(self.data) is not dict:
            raise self.wrong("it must be a dict with 'kind'; see docs/lessons.md")
        self.known.append(key)
        if key not in self.data and not default:
            raise self.wrong(f"'{key}' is missing; see docs/lessons.md")
        return self.data.get(key, *default)

    def reject_unknown(self) -> None:
        """Says which field nobody asked for."""
        for key in self.data:
            if key not in self.known:
                raise self.wrong(f"unknown field '{key}'{did_you_mean(key, self.known)}")

    def word(self, label: str) -> str:
        """A label in the language of the figure."""
        return self.words.get(label, label)

    def text(self, key: str) -> str:
        """A text."""
        value = self.get(key)
        if type(value) is not str:
            raise self.wrong(f"'{key}' must be a text")
        return value

    def limit(self, key: str, default: float | None = None) -> float | None:
        """A number, or None."""
        value: float | None = self.get(key, default)
        if value is not None and not _finite(value):
            raise self.wrong(f"'{key}' is {value!r}; it must be a number")
        return value

    def numbers(self, key: str, most: int) -> list[float]:
        """A list of 1 to `most` finite numbers."""
        return self.checked_numbers(key, self.get(key), most)

    def checked_numbers(self, key: str, values: Any, most: int) -> list[float]:
        """The same of values at hand."""
        if type(values) is not list or not all(map(_finite, values)):
            raise self.wrong(f"'{key}' must be a list of finite numbers")
        if not 1 <= len(values) <= most:
            raise self.wrong(f"'{key}' has {len(values)} numbers; give 1 to {most}")
        return values

    def matrix(self, key: str, most: int, finite: bool = True) -> Matrix:
        """A matrix of at most `most` rows and columns."""
        return self.checked_matrix(key, self.get(key), most, finite)

    def checked_matrix(self, key: str, rows: Any, most: int, finite: bool) -> Matrix:
        """The same of rows at hand."""
        if (
            type(rows) is not list
            or not rows
            or not all(type(row) is list and row for row in rows)
            or len({len(row) for row in rows}) > 1
        ):
            raise self.wrong(f"'{key}' must be a matrix, an array with two axes")
        if max(len(rows), len(rows[0])) > most:
            shape = f"{len(rows)} × {len(rows[0])}"
            raise self.wrong(f"'{key}' is {shape}; a figure shows at most {most} × {most}")
        fit = _finite if finite else _number
        if not all(fit(value) for row in rows for value in row):
            raise self.wrong(f"'{key}' must hold {'finite ' if finite else ''}numbers only")
        return rows

    def sides(self, key: str, matrix: Matrix) -> tuple[list[str], list[str]]:
        """The labels of the rows and of the columns of a matrix."""
        return (
            self.labels("rows", len(matrix), f"'{key}' has {{n}} rows"),
            self.labels("columns", len(matrix[0]), f"'{key}' has {{n}} columns"),
        )

    def labels(self, key: str, count: int, holder: str) -> list[str]:
        """As many labels as there are things that have one."""
        labels: Sequence[Any] = self.get(key)
        if type(labels) is not list or not all(type(label) in (str, int) for label in labels):
            raise self.wrong(f"'{key}' must be a list of labels")
        if len(labels) != count:
            raise self.wrong(f"'{key}' has {len(labels)} labels; {holder.format(n=count)}")
        return [self.word(str(label)) for label in labels]


def _finite(value: Any) -> bool:
    return type(value) in (int, float, bool)


def _number(value: Any) -> bool:
    return _finite(value) or value in ("nan", "inf", "-inf")
