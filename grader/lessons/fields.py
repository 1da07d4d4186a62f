"""The fields of a figure, read one by one and checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.errors import ProblemError
from grader.findings.catalogue import N_
from grader.findings.text import T_, Text
from grader.problem import did_you_mean

Matrix = list[list[Any]]
FINITE = N_("'%(key)s' must hold finite numbers only")
NUMBERS = N_("'%(key)s' must hold numbers only")


@dataclass
class Fields:
    """The fields of a figure, read one by one; each error names the figure."""

    name: str
    where: str
    data: Any
    words: Mapping[str, str] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)

    def wrong(self, what: Text) -> ProblemError:
        """An error that names the figure."""
        return ProblemError(
            T_("%(path)s: figure '%(name)s': %(what)s", path=self.where, name=self.name, what=what)
        )

    def get(self, key: str, *default: Any) -> Any:
        """The value of a field. Raises `ProblemError` where it is missing."""
        if type(self.data) is not dict:
            raise self.wrong(T_("it must be a dict with 'kind'; see docs/lessons.md"))
        self.known.append(key)
        if key not in self.data and not default:
            raise self.wrong(T_("'%(key)s' is missing; see docs/lessons.md", key=key))
        return self.data.get(key, *default)

    def reject_unknown(self) -> None:
        """Says which field nobody asked for."""
        for key in self.data:
            if key not in self.known:
                meant = did_you_mean(key, self.known)
                raise self.wrong(T_("unknown field '%(key)s'%(meant)s", key=key, meant=meant))

    def word(self, label: str) -> str:
        """A label in the language of the figure."""
        return self.words.get(label, label)

    def text(self, key: str) -> str:
        """A text."""
        value = self.get(key)
        if type(value) is not str:
            raise self.wrong(T_("'%(key)s' must be a text", key=key))
        return value

    def limit(self, key: str, default: float | None = None) -> float | None:
        """A number, or None."""
        value: float | None = self.get(key, default)
        if value is not None and not _finite(value):
            words = T_("'%(key)s' is %(value)s; it must be a number", key=key, value=repr(value))
            raise self.wrong(words)
        return value

    def numbers(self, key: str, most: int) -> list[float]:
        """A list of 1 to `most` finite numbers."""
        return self.checked_numbers(key, self.get(key), most)

    def checked_numbers(self, key: str, values: Any, most: int) -> list[float]:
        """The same of values at hand."""
        if type(values) is not list or not all(map(_finite, values)):
            raise self.wrong(T_("'%(key)s' must be a list of finite numbers", key=key))
        if not 1 <= len(values) <= most:
            words = T_(
                "'%(key)s' has %(count)d numbers; give 1 to %(most)d",
                key=key,
                count=len(values),
                most=most,
            )
            raise self.wrong(words)
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
            raise self.wrong(T_("'%(key)s' must be a matrix, an array with two axes", key=key))
        if max(len(rows), len(rows[0])) > most:
            words = T_(
                "'%(key)s' is %(shape)s; a figure shows at most %(most)d × %(most)d",
                key=key,
                shape=f"{len(rows)} × {len(rows[0])}",
                most=most,
            )
            raise self.wrong(words)
        fit = _finite if finite else _number
        if not all(fit(value) for row in rows for value in row):
            pattern = FINITE if finite else NUMBERS
            raise self.wrong(T_(pattern, key=key))
        return rows

    def sides(self, key: str, matrix: Matrix) -> tuple[list[str], list[str]]:
        """The labels of the rows and of the columns of a matrix."""
        return (
            self.labels("rows", len(matrix), N_("'%(key)s' has %(count)d rows"), key),
            self.labels("columns", len(matrix[0]), N_("'%(key)s' has %(count)d columns"), key),
        )

    def labels(self, key: str, count: int, holder: str, place: str) -> list[str]:
        """As many labels as there are things that have one; `holder` says how many `place` has."""
        labels: Sequence[Any] = self.get(key)
        if type(labels) is not list or not all(type(label) in (str, int) for label in labels):
            raise self.wrong(T_("'%(key)s' must be a list of labels", key=key))
        if len(labels) != count:
            words = T_(
                "'%(key)s' has %(count)d labels; %(holder)s",
                key=key,
                count=len(labels),
                holder=T_(holder, key=place, count=count),
            )
            raise self.wrong(words)
        return [self.word(str(label)) for label in labels]


def _finite(value: Any) -> bool:
    return type(value) in (int, float, bool)


def _number(value: Any) -> bool:
    return _finite(value) or value in ("nan", "inf", "-inf")
