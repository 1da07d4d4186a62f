"""The figures of lessons, as values: each kind with its shapes and labels checked.

A figure is a dict of plain data in lesson.py. `figure` turns it into one of the types below, or
says what is wrong with it; the service draws them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from grader.findings.catalogue import N_
from grader.findings.text import T_
from grader.lessons.fields import Fields, Matrix
from grader.problem import did_you_mean

Number = float | int | bool | str  # "nan", "inf" and "-inf" are texts

MOST_SIDE = 24  # rows or columns of a heat map
MOST_HEADS = 12
MOST_ARROWS = 10
MOST_BARS = 16
MOST_PRODUCT = 8
MOST_LINES, MOST_POINTS = 6, 200


@dataclass(frozen=True, slots=True)
class Heatmap:
    """A matrix as cells that are darker where the number is larger."""

    values: Matrix
    rows: list[str]
    columns: list[str]
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Heads:
    """A heat map for each head."""

    values: list[Matrix]
    rows: list[str]
    columns: list[str]
    names: list[str]


@dataclass(frozen=True, slots=True)
class Vectors:
    """Arrows from the origin; two of them are compared."""

    vectors: dict[str, list[float]]
    compare: list[str]


@dataclass(frozen=True, slots=True)
class Softmax:
    """Bars of softmax(scores * scale), with a slider for the scale."""

    scores: list[float]
    labels: list[str]
    scale: float
    most: float


@dataclass(frozen=True, slots=True)
class Mask:
    """Scores, and which of them may be seen."""

    scores: Matrix
    mask: list[list[bool]]
    rows: list[str]
    columns: list[str]


@dataclass(frozen=True, slots=True)
class Product:
    """A matrix product, cell by cell."""

    left: Matrix
    right: Matrix


@dataclass(frozen=True, slots=True)
class Curve:
    """Lines over one axis."""

    x: list[float]
    lines: dict[str, list[float]]
    x_name: str
    y_name: str
    log: bool = False


Figure = Heatmap | Heads | Vectors | Softmax | Mask | Product | Curve


def figure(name: str, data: Any, where: str = "lesson.py", language: str = "en") -> Figure:
    """Returns the figure that a value describes, with its labels in a language.

    Labels are in English; a table `zh` of the figure gives those that differ in Chinese. Raises
    `ProblemError` for anything that cannot be drawn.
    """
    fields = Fields(name, where, data)
    kind = fields.text("kind")
    if kind not in KINDS:
        words = T_(
            "'kind' is '%(kind)s'%(meant)s; choose from %(known)s",
            kind=kind,
            meant=did_you_mean(kind, KINDS),
            known=", ".join(KINDS),
        )
        raise fields.wrong(words)
    fields.words = _words(fields, language)
    made = KINDS[kind](fields)
    fields.reject_unknown()
    return made


def _words(fields: Fields, language: str) -> Mapping[str, str]:
    words = fields.get("zh", {})
    if type(words) is not dict or not all(type(word) is str for word in words.values()):
        raise fields.wrong(T_("'zh' must be a dict of labels and their translations"))
    return words if language == "zh" else {}


def _heatmap(f: Fields) -> Heatmap:
    values = f.matrix("values", MOST_SIDE, finite=False)
    rows, columns = f.sides("values", values)
    low, high = f.limit("low"), f.limit("high")
    if low is not None and high is not None and low >= high:
        words = T_(
            "'low' is %(low)g and 'high' is %(high)g; low must be below high", low=low, high=high
        )
        raise f.wrong(words)
    return Heatmap(values, rows, columns, low, high)


def _heads(f: Fields) -> Heads:
    values = f.get("values")
    if type(values) is not list or not 1 <= len(values) <= MOST_HEADS:
        words = T_("'values' must be an array (H, L, S) with 1 to %(most)d heads", most=MOST_HEADS)
        raise f.wrong(words)
    heads = [f.checked_matrix(f"values[{i}]", m, MOST_SIDE, False) for i, m in enumerate(values)]
    if len({(len(head), len(head[0])) for head in heads}) > 1:
        raise f.wrong(T_("the heads of 'values' have different shapes"))
    rows, columns = f.sides("values", heads[0])
    names = f.labels("names", len(heads), N_("'%(key)s' has %(count)d heads"), "values")
    return Heads(heads, rows, columns, names)


def _vectors(f: Fields) -> Vectors:
    given = f.get("vectors")
    if type(given) is not dict or not 1 <= len(given) <= MOST_ARROWS:
        words = T_("'vectors' must be a dict of 1 to %(most)d vectors by label", most=MOST_ARROWS)
        raise f.wrong(words)
    for label, vector in given.items():
        if len(f.checked_numbers(f"vectors['{label}']", vector, 2)) != 2:
            words = T_("the vector '%(label)s' must have two numbers, x and y", label=label)
            raise f.wrong(words)
    compare = f.get("compare", list(given)[:2])
    unknown = [label for label in compare if label not in given]
    if unknown or len(compare) != 2:
        words = T_(
            "'compare' is %(compare)s; name two of %(known)s",
            compare=str(compare),
            known=", ".join(given),
        )
        raise f.wrong(words)
    return Vectors({f.word(k): v for k, v in given.items()}, [f.word(each) for each in compare])


def _softmax(f: Fields) -> Softmax:
    scores = f.numbers("scores", MOST_BARS)
    scale, most = f.limit("scale", 1.0), f.limit("most", 8.0)
    assert scale is not None and most is not None
    if not 0 <= scale <= most:
        words = T_(
            "'scale' is %(scale)g; give a number from 0 to 'most', which is %(most)g",
            scale=scale,
            most=most,
        )
        raise f.wrong(words)
    labels = f.labels("labels", len(scores), N_("'%(key)s' has %(count)d entries"), "scores")
    return Softmax(scores, labels, scale, most)


def _mask(f: Fields) -> Mask:
    scores = f.matrix("scores", MOST_SIDE)
    mask = f.matrix("mask", MOST_SIDE)
    if [len(row) for row in mask] != [len(row) for row in scores]:
        raise f.wrong(T_("'mask' and 'scores' have different shapes"))
    if any(type(value) is not bool for row in mask for value in row):
        raise f.wrong(T_("'mask' must be an array of booleans; True may be seen"))
    return Mask(scores, mask, *f.sides("scores", scores))


def _product(f: Fields) -> Product:
    left, right = f.matrix("left", MOST_PRODUCT), f.matrix("right", MOST_PRODUCT)
    if len(left[0]) != len(right):
        words = T_(
            "'left' has %(columns)d columns and 'right' has %(rows)d rows; they must be the same",
            columns=len(left[0]),
            rows=len(right),
        )
        raise f.wrong(words)
    return Product(left, right)


def _curve(f: Fields) -> Curve:
    x, lines = f.numbers("x", MOST_POINTS), f.get("lines")
    if type(lines) is not dict or not 1 <= len(lines) <= MOST_LINES:
        raise f.wrong(T_("'lines' must be a dict of 1 to %(most)d lists by label", most=MOST_LINES))
    if len(x) < 2 or any(a >= b for a, b in pairwise(x)):
        words = T_("'x' must have at least two numbers, each larger than the one before")
        raise f.wrong(words)
    for label, values in lines.items():
        if len(f.checked_numbers(f"lines['{label}']", values, MOST_POINTS)) != len(x):
            words = T_(
                "line '%(label)s' has %(count)d numbers; 'x' has %(due)d",
                label=label,
                count=len(values),
                due=len(x),
            )
            raise f.wrong(words)
    log = f.get("log", False)
    if log and min(x[0], *(min(values) for values in lines.values())) <= 0:
        raise f.wrong(T_("'log' is True, but a number is not above 0"))
    names = f.word(f.text("x_name")), f.word(f.text("y_name"))
    return Curve(x, {f.word(k): v for k, v in lines.items()}, *names, bool(log))


KINDS: Mapping[str, Callable[[Fields], Figure]] = {
    "heatmap": _heatmap,
    "heads": _heads,
    "vectors": _vectors,
    "softmax": _softmax,
    "mask": _mask,
    "product": _product,
    "curve": _curve,
}
