"""Heat maps and bars as SVG, drawn on the server: a picture needs no script.

Weights use one scale from light to dark; differences a diverging one, blue-green below zero and
orange above, which the colour-blind tell apart; every cell carries its number, so no meaning rests
on colour alone. Colours are attributes of the cells (the style sheet may replace them by their
classes `w0`…`w20` and `d-10`…`d10`); nothing is inline style.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from markupsafe import Markup, escape

LARGEST_SIDE = 16  # rows or columns of a picture
MOST_PANES = 16  # heads and batches
PALE = 0.05  # the least difference in full colour: what rounds to 0 in its cell must not shout

CELL, GAP, LEFT, TOP = 32, 2, 46, 40
Rgb = tuple[int, int, int]
SEQUENTIAL: tuple[Rgb, ...] = (
    (244, 242, 235),
    (203, 215, 219),
    (125, 157, 192),
    (64, 98, 153),
    (26, 33, 94),
)
NEGATIVE: tuple[Rgb, ...] = ((240, 239, 234), (178, 200, 203), (108, 156, 166), (32, 104, 121))
POSITIVE: tuple[Rgb, ...] = ((240, 239, 234), (232, 200, 182), (212, 146, 112), (176, 84, 42))

Matrix = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Pane:
    """One matrix of a tensor (one head of one batch), as up to three pictures beside each other."""

    title: str  # "" for a tensor that is one matrix; else "head 1", "batch 1, head 2"
    figures: tuple[tuple[str, Markup], ...]  # (yours | expected | difference, the SVG)


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn of one tensor of a sample."""

    tensor: str
    panes: tuple[Pane, ...]


def pictures(sample: dict[str, Any]) -> list[Picture]:
    """The pictures of a judged sample (`samples.result_data`) or of a statement's
    (`samples.sample_data`).
    """
    return [Picture(name, tuple(_panes(sample, name))) for name in drawn(sample)]


def drawn(sample: dict[str, Any]) -> list[str]:
    """Which tensors are worth a picture: weights and scores by name, else a matrix that is all that
    is returned.
    """
    expected = sample.get("expected", {})
    fit = [name for name, tensor in expected.items() if _fits(tensor)]
    named = [name for name in fit if "weights" in name and "." not in name]
    others = [name for name in fit if name in ("scores", "scaled", "mask", "bias")]
    only = [name for name in fit if len(expected) == 1 and len(expected[name]["shape"]) >= 2]
    return named + others or only


def _fits(tensor: dict[str, Any]) -> bool:
    shape = tensor["shape"]
    if "data" not in tensor or not 1 <= len(shape) <= 4 or 0 in shape:
        return False
    return int(max(shape[-2:])) <= LARGEST_SIDE and math.prod(shape[:-2]) <= MOST_PANES


def _panes(sample: dict[str, Any], name: str) -> Iterator[Pane]:
    expected = sample["expected"][name]
    shape = expected["shape"]
    mine = sample.get("got", {}).get(name)
    both = mine is not None and mine["shape"] == shape and "data" in mine
    difference = sample.get("difference", {}).get(name)
    axes = sample.get("axes", {}).get(name, ())
    kind = "" if sample.get("plain") else ", expected"  # a value that nothing is compared with
    rows, columns = _labels(sample["labels"], shape[-2:] if len(shape) > 1 else [1, *shape])
    for index in product(*(range(n) for n in shape[:-2])):
        figures, title = [], _title(index, axes)
        said = f", {title}" if title else ""
        if both and mine is not None:
            figures.append(
                ("yours", heat(_at(mine["data"], index), rows, columns, f"{name}, yours{said}"))
            )
        figures.append(
            (
                "expected",
                heat(_at(expected["data"], index), rows, columns, f"{name}{kind}{said}"),
            )
        )
        if both and difference is not None and "data" in difference:
            figures.append(
                (
                    "difference",
                    heat(
                        _at(difference["data"], index),
                        rows,
                        columns,
                        f"{name}, difference{said}",
                        signed=True,
                    ),
                )
            )
        yield Pane(title, tuple(figures))


NAMES = {"B": "batch", "H": "head", "G": "group"}


def _title(index: tuple[int, ...], axes: Sequence[str]) -> str:
    """Which matrix of a tensor: its leading axes by what the problem's letters stand for, else `[0,
    1]`.
    """
    letters = axes[: len(index)]
    if len(axes) != len(index) + 2 or not all(letter in NAMES for letter in letters):
        return f"[{', '.join(map(str, index))}]" if index else ""
    return ", ".join(f"{NAMES[letter]} {i + 1}" for letter, i in zip(letters, index, strict=True))


def _at(data: Any, index: tuple[int, ...]) -> Matrix:
    for i in index:
        data = data[i]
    return data if isinstance(data[0], list) else [data]


def _labels(labels: Sequence[str], shape: Sequence[int]) -> tuple[list[str], list[str]]:
    """Names of rows and columns: the tokens where their number fits, else numbers."""
    rows, columns = shape
    named = [
        list(labels) if len(labels) == n else [str(i + 1) for i in range(n)]
        for n in (rows, columns)
    ]
    return named[0] if rows > 1 else [""], named[1]


def heat(
    matrix: Matrix, rows: Sequence[str], columns: Sequence[str], name: str, signed: bool = False
) -> Markup:
    """One matrix as a heat map; one row as bars. `signed` takes the diverging scale."""
    if len(matrix) == 1:
        return bars(matrix[0], columns, name, signed)
    low, high = _range(matrix, signed)
    width, height = LEFT + len(columns) * (CELL + GAP) + 6, TOP + len(matrix) * (CELL + GAP) + 6
    parts = [_open(width, height, name, "heat-map")]
    for j, label in enumerate(columns):
        parts.append(_text(LEFT + j * (CELL + GAP) + CELL / 2, TOP - 8, label, "tk", "middle"))
    for i, row in enumerate(matrix):
        y = TOP + i * (CELL + GAP)
        parts.append(_text(LEFT - 8, y + CELL / 2 + 4, rows[i], "tk", "end"))
        for j, value in enumerate(row):
            parts.append(
                _cell(
                    LEFT + j * (CELL + GAP),
                    y,
                    value,
                    low,
                    high,
                    signed,
                    f"{rows[i]} → {columns[j]}",
                )
            )
    return Markup("".join(parts) + "</svg>")


def bars(values: Sequence[Any], labels: Sequence[str], name: str, signed: bool = False) -> Markup:
    """A vector as bars with their numbers."""
    low, high = _range([list(values)], signed)
    largest = max((abs(v) for v in _numbers([list(values)])), default=0.0) or 1.0
    most = high if signed else largest
    width, tall = 12 + len(values) * (CELL + 8), 90
    base = 24 + tall / 2 if signed else 24 + tall
    parts = [_open(width, tall + 52, name, "bars")]
    for j, value in enumerate(values):
        x = 8 + j * (CELL + 8)
        number = (
            value
            if isinstance(value, int | float) and not isinstance(value, bool)
            else float(value is True)
        )
        size = abs(number) / most * (tall / 2 if signed else tall)
        y = base if number < 0 else base - size
        level, fill = _colour(number, low, high, signed)
        parts.append(
            f'<rect class="bar {level}" x="{x}" y="{y:.1f}" width="{CELL}"'
            f' height="{max(size, 0.5):.1f}" rx="2" fill="{fill}">'
        )
        parts.append(f"<title>{escape(labels[j])}: {escape(_exact(value))}</title></rect>")
        parts.append(
            _text(x + CELL / 2, 16 if signed else y - 6, short(value, signed), "v", "middle")
        )
        parts.append(_text(x + CELL / 2, tall + 44, labels[j], "tk", "middle"))
    return Markup("".join(parts) + "</svg>")


def short(value: Any, signed: bool = False) -> str:
    """A number in at most five characters, as it stands in a cell: `.59`, `+.40`, `1.00`, `-12`,
    `2e4`.
    """
    if isinstance(value, bool):
        return "1" if value else "0"
    if not isinstance(value, int | float):
        return {"inf": "∞", "-inf": "-∞"}.get(str(value), str(value))
    sign = "+" if signed and value > 0 else ""
    if isinstance(value, int):
        return f"{sign}{value}" if abs(value) < 10_000 else f"{value:.0e}".replace("e+0", "e")
    if abs(value) < 9.995:
        text = f"{value:.2f}"
        text = "0" if signed and text in ("0.00", "-0.00") else text.replace("-0.00", "0.00")
        return sign * (text != "0") + (
            text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
        )
    return f"{sign}{value:.0f}" if abs(value) < 1000 else f"{value:.0e}".replace("e+0", "e")


def _range(matrix: Matrix, signed: bool) -> tuple[float, float]:
    """What the ends of the scale stand for: 0 to 1 for weights, symmetric for differences."""
    values = _numbers(matrix)
    if signed:
        most = max((abs(v) for v in values), default=PALE)
        return -max(most, PALE), max(most, PALE)
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (0.0, 1.0) if low >= 0.0 and high <= 1.0 + 1e-6 else (low, high)


def _numbers(matrix: Matrix) -> list[float]:
    return [float(v) for row in matrix for v in row if isinstance(v, int | float)]


def _cell(x: float, y: float, value: Any, low: float, high: float, signed: bool, where: str) -> str:
    level, fill = _colour(value, low, high, signed)
    ink = "#fff" if _dark(fill) else "#000"
    kind = "on-dark" if _dark(fill) else "on-light"
    return (
        f'<g class="cell" data-value="{escape(_exact(value))}"><title>{escape(where)}:'
        f' {escape(_exact(value))}</title><rect class="{level}" x="{x}" y="{y}" width="{CELL}"'
        f' height="{CELL}" rx="3" fill="{fill}"/><text class="v {kind}" x="{x + CELL / 2}"'
        f' y="{y + CELL / 2 + 4}" font-size="10" fill="{ink}"'
        f' text-anchor="middle">{escape(short(value, signed))}</text></g>'
    )


def _colour(value: Any, low: float, high: float, signed: bool) -> tuple[str, str]:
    """(class, fill) of a value; what is not finite is neither light nor dark but marked."""
    if isinstance(value, str):
        return "nonfinite", "rgb(214,84,120)"
    number = float(value)
    if signed:
        part = number / high
        return f"d{round(part * 10)}", _mix(POSITIVE if part >= 0 else NEGATIVE, abs(part))
    part = 0.0 if high <= low else min(1.0, max(0.0, (number - low) / (high - low)))
    return f"w{round(part * 20)}", _mix(SEQUENTIAL, part)


def _mix(scale: tuple[Rgb, ...], part: float) -> str:
    at = min(1.0, max(0.0, part)) * (len(scale) - 1)
    i = min(int(at), len(scale) - 2)
    mixed = (round(a + (b - a) * (at - i)) for a, b in zip(scale[i], scale[i + 1], strict=True))
    return f"rgb({','.join(map(str, mixed))})"


def _dark(fill: str) -> bool:
    """Whether white reads better on it than black: one of the two always has a contrast of 4.5
    (relative luminance, WCAG 2.2).
    """
    linear = [
        (c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4)
        for c in map(int, fill[4:-1].split(","))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] < 0.179


def _exact(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _open(width: float, height: float, name: str, kind: str) -> str:
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return f'<svg class="{kind}" {size} role="img" aria-label="{escape(name)}">'


def _text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    shown = text if len(text) <= 7 else text[:6] + "…"
    return (
        f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="11" fill="currentColor"'
        f' text-anchor="{anchor}">{escape(shown)}</text>'
    )
