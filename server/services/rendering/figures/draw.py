"""Draws a figure of a lesson: its SVG, its numbers as tables, and its data for the script."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from markupsafe import Markup

from grader.lessons import figures
from grader.lessons.fields import Matrix
from server.messages import Message
from server.services.rendering.figures.curve import lines
from server.services.rendering.figures.heat import HIDDEN, bars, exact, heat_map, limits
from server.services.rendering.figures.product import multiplied, product
from server.services.rendering.figures.vectors import arrows

Said = str | Message  # a label of the figure, or a word of ours, which is translated


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a figure: a caption, the heads of the columns, and rows with their heads."""

    caption: Said
    columns: Sequence[Said]
    rows: Sequence[tuple[Said, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as a page shows it."""

    kind: str
    panes: tuple[tuple[str, Markup], ...]  # the title of each picture, and the picture
    tables: tuple[Table, ...]
    data: str  # JSON
    legend: tuple[str, ...] = ()


def draw(figure: figures.Figure, name: str) -> Drawing:
    """Draws a figure; `name` is what a screen reader calls it."""
    kind = type(figure).__name__.lower()
    legend = tuple(figure.lines) if isinstance(figure, figures.Curve) else ()
    return Drawing(kind, _panes(figure, name), _tables(figure), _data(figure), legend)


def _panes(figure: figures.Figure, name: str) -> tuple[tuple[str, Markup], ...]:
    match figure:
        case figures.Heads(values, rows, columns, names):
            ends, signed = _scale([row for head in values for row in head])
            return tuple(
                (title, heat_map(head, rows, columns, f"{name}, {title}", ends, signed, False))
                for title, head in zip(names, values, strict=True)
            )
        case _:
            return (("", _picture(figure, name)),)


def _picture(figure: figures.Figure, name: str) -> Markup:
    match figure:
        case figures.Heatmap(values, rows, columns):
            ends, signed = _scale(values, figure.low, figure.high)
            return heat_map(values, rows, columns, name, ends, signed, False)
        case figures.Vectors(vectors):
            return arrows(vectors, name)
        case figures.Softmax(scores, labels, scale):
            return bars(softmax([score * scale for score in scores]), labels, name, top=1.0)
        case figures.Mask(scores, mask, rows, columns):
            return heat_map(masked(scores, mask), rows, columns, name, (0.0, 1.0))
        case figures.Product(left, right):
            return product(left, right, name)
        case figures.Curve():
            return lines(figure, name)
    raise AssertionError(figure)


def _scale(
    values: Matrix, low: float | None = None, high: float | None = None
) -> tuple[tuple[float, float], bool]:
    """The ends of a scale, and whether it goes both ways from zero.

    It does for values on both sides of zero whose author names no end.
    """
    least, most = limits(values, False)
    if low is None and high is None and least < 0 < most:
        return limits(values, True), True
    return (least if low is None else low, most if high is None else high), False


def softmax(scores: Sequence[float]) -> list[float]:
    """The weights of some scores; zeros where there are none."""
    most = max(scores, default=0.0)
    if most == -math.inf:
        return [0.0] * len(scores)
    exp = [math.exp(score - most) for score in scores]
    return [each / sum(exp) for each in exp]


def masked(
    scores: Sequence[Sequence[float]], mask: Sequence[Sequence[bool]]
) -> list[list[float | str]]:
    """The weights of each row, with a cross where nothing may be seen."""
    return [
        [
            weight if visible else HIDDEN
            for weight, visible in zip(
                softmax([s if m else -math.inf for s, m in zip(row, seen, strict=True)]),
                seen,
                strict=True,
            )
        ]
        for row, seen in zip(scores, mask, strict=True)
    ]


def _tables(figure: figures.Figure) -> tuple[Table, ...]:
    match figure:
        case figures.Heatmap(values, rows, columns):
            return (_matrix("", values, rows, columns),)
        case figures.Heads(heads, rows, columns, names):
            return tuple(_matrix(n, h, rows, columns) for n, h in zip(names, heads, strict=True))
        case figures.Vectors():
            return _vectors(figure)
        case figures.Softmax(given, labels, scale):
            both = list(zip(given, softmax([score * scale for score in given]), strict=True))
            return (_matrix("", both, labels, (Message("Score"), Message("Weight"))),)
        case figures.Mask(scores, mask, rows, columns):
            shown = masked(scores, mask)
            return (
                _matrix(Message("Scores"), scores, rows, columns),
                _matrix(Message("Weights"), shown, rows, columns),
            )
        case figures.Product(left, right):
            return _product(left, right)
        case figures.Curve():
            return (_curve(figure),)
    raise AssertionError(figure)


def _matrix(
    caption: Said, values: Sequence[Sequence[Any]], rows: Sequence[Said], columns: Sequence[Said]
) -> Table:
    body = [(row, [exact(n) for n in line]) for row, line in zip(rows, values, strict=True)]
    return Table(caption, ("", *columns), body)


def _curve(curve: figures.Curve) -> Table:
    numbers = zip(*curve.lines.values(), strict=True)
    rows = [(exact(x), [exact(n) for n in row]) for x, row in zip(curve.x, numbers, strict=True)]
    return Table(curve.y_name, (curve.x_name, *curve.lines), rows)


def _vectors(figure: figures.Vectors) -> tuple[Table, ...]:
    rows = [
        (label, [exact(float(x)), exact(float(y)), exact(math.hypot(x, y))])
        for label, (x, y) in figure.vectors.items()
    ]
    (ax, ay), (bx, by) = (figure.vectors[label] for label in figure.compare)
    lengths = math.hypot(ax, ay) * math.hypot(bx, by)
    cosine = (ax * bx + ay * by) / lengths if lengths else 0.0
    angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
    compared = [
        (Message("Dot product"), [exact(float(ax * bx + ay * by))]),
        (Message("Cosine"), [exact(cosine)]),
        (Message("Angle"), [f"{angle:.1f}°"]),
    ]
    return (
        Table(Message("Vectors"), ("", "x", "y", Message("Length")), rows),
        Table(" · ".join(figure.compare), ("", Message("Value")), compared),
    )


def _product(left: list[list[Any]], right: list[list[Any]]) -> tuple[Table, ...]:
    parts = (
        (Message("Left factor"), left),
        (Message("Right factor"), right),
        (Message("Product"), multiplied(left, right)),
    )
    return tuple(
        _matrix(
            caption,
            matrix,
            [str(i + 1) for i in range(len(matrix))],
            [str(j + 1) for j in range(len(matrix[0]))],
        )
        for caption, matrix in parts
    )


def _data(figure: figures.Figure) -> str:
    return json.dumps(_rounded(asdict(figure)), ensure_ascii=False, separators=(",", ":"))


def _rounded(value: Any) -> Any:
    """Numbers in six digits: what a script shows, in fewer bytes."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return value
