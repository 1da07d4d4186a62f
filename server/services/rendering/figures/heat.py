"""Heat maps and bars: matrices and vectors as SVG.

Weights use one scale from light to dark; differences a diverging one, blue-green below zero and
orange above, which the colour-blind tell apart; every cell carries its number, so no meaning rests
on colour alone. Colours are attributes of the cells (the style sheet may replace them by their
classes `w0`…`w20` and `d-10`…`d10`); nothing is inline style.
"""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup, escape

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

NARROW = 5  # characters that fit above a cell
SLANT = 14  # more height and width for slanted names
MANY = 10  # columns: on a phone their numbers would be too small to read
UNDER = 14  # from the end of a bar that hangs to the number below it
HIDDEN = "×"  # in the place of a number that a mask hides

Matrix = list[list[Any]]


def heat(
    matrix: Matrix, rows: Sequence[str], columns: Sequence[str], name: str, signed: bool = False
) -> Markup:
    """One matrix as a heat map; one row as bars. `signed` takes the diverging scale."""
    if len(matrix) == 1:
        return bars(matrix[0], columns, name, signed)
    return heat_map(matrix, rows, columns, name, limits(matrix, signed), signed)


def heat_map(
    matrix: Matrix,
    rows: Sequence[str],
    columns: Sequence[str],
    name: str,
    ends: tuple[float, float],
    signed: bool = False,
    plus: bool = True,
) -> Markup:
    """A heat map whose scale has these ends. Without `plus`, a sign stands below zero only."""
    low, high = ends
    slanted = any(_wide(label) for label in columns)
    top = TOP + SLANT * slanted
    width = LEFT + len(columns) * (CELL + GAP) + (2 * SLANT if slanted else 6)
    kind = "heat-map many" if len(columns) > MANY else "heat-map"
    parts = [opened(width, top + len(matrix) * (CELL + GAP) + 6, name, kind)]
    for j, label in enumerate(columns):
        x = LEFT + j * (CELL + GAP) + CELL / 2
        parts.append(_heading(x, top - 8, label, slanted))
    for i, row in enumerate(matrix):
        y = top + i * (CELL + GAP)
        parts.append(text(LEFT - 8, y + CELL / 2 + 4, rows[i], "tk", "end"))
        for j, value in enumerate(row):
            x, where = LEFT + j * (CELL + GAP), f"{rows[i]} → {columns[j]}"
            label = short(value, signed and plus)
            parts.append(cell(x, y, value, low, high, signed, where, label))
    return Markup("".join(parts) + "</svg>")


def _wide(label: str) -> bool:
    """Does a label need more room than the column that it names?"""
    return sum(2 if ord(char) > 0x2E80 else 1 for char in label) > NARROW


def _heading(x: float, y: float, label: str, slanted: bool) -> str:
    """The name of a column; long ones are slanted, lest they run into each other."""
    if not slanted:
        return text(x, y, label, "tk", "middle")
    written = text(0, 0, label, "tk", "start")
    return f'<g transform="translate({x - 4:g} {y:g}) rotate(-40)">{written}</g>'


def bars(
    values: Sequence[Any],
    labels: Sequence[str],
    name: str,
    signed: bool = False,
    top: float | None = None,
) -> Markup:
    """A vector as bars with their numbers; `top` is what the whole height stands for.

    A bar below zero hangs from the line that the others stand on, with its number below it. In a
    difference all numbers stand in a row.
    """
    finite = numbers([list(values)])
    above, below = max([0.0, *finite]), -min([0.0, *finite])
    both_ways = signed or below > 0
    low, high = limits([list(values)], both_ways)
    most = top or (2 * high if signed else above + below) or 1.0
    width, tall = 12 + len(values) * (CELL + 8), 90
    foot = tall + 44 + (UNDER if below > 0 and not signed else 0)  # where the labels stand
    base = 24 + tall * (0.5 if signed else above / most if below > 0 else 1)
    parts = [opened(width, foot + 8, name, "bars")]
    for j, value in enumerate(values):
        x = 8 + j * (CELL + 8)
        number = (
            value
            if isinstance(value, int | float) and not isinstance(value, bool)
            else float(value is True)
        )
        size = abs(number) / most * tall
        y = base if number < 0 else base - size
        level, fill = colour(number, low, high, both_ways)
        parts.append(
            f'<rect class="bar {level}" x="{x}" y="{y:.1f}" width="{CELL}"'
            f' height="{max(size, 0.5):.1f}" rx="2" fill="{fill}">'
        )
        parts.append(f"<title>{escape(labels[j])}: {escape(exact(value))}</title></rect>")
        said = 16 if signed else y + size + UNDER if number < 0 else y - 6
        parts.append(text(x + CELL / 2, said, short(value, signed), "v", "middle"))
        parts.append(text(x + CELL / 2, foot, labels[j], "tk", "middle"))
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
        said = f"{value:.2f}"
        said = "0" if signed and said in ("0.00", "-0.00") else said.replace("-0.00", "0.00")
        return sign * (said != "0") + (
            said.replace("0.", ".", 1) if said.startswith(("0.", "-0.")) else said
        )
    return f"{sign}{value:.0f}" if abs(value) < 1000 else f"{value:.0e}".replace("e+0", "e")


def limits(matrix: Matrix, signed: bool) -> tuple[float, float]:
    """What the ends of the scale stand for: 0 to 1 for weights, symmetric for differences."""
    values = numbers(matrix)
    if signed:
        most = max((abs(v) for v in values), default=PALE)
        return -max(most, PALE), max(most, PALE)
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (0.0, 1.0) if low >= 0.0 and high <= 1.0 + 1e-6 else (low, high)


def numbers(matrix: Matrix) -> list[float]:
    """The finite numbers of a matrix."""
    return [float(v) for row in matrix for v in row if isinstance(v, int | float)]


def cell(
    x: float,
    y: float,
    value: Any,
    low: float,
    high: float,
    signed: bool,
    where: str,
    label: str = "",
) -> str:
    """One cell: its colour, its number, and its place as a title."""
    level, fill = colour(value, low, high, signed)
    ink = "#fff" if _dark(fill) else "#000"
    kind = "on-dark" if _dark(fill) else "on-light"
    return (
        f'<g class="cell" data-value="{escape(exact(value))}"><title>{escape(where)}:'
        f' {escape(exact(value))}</title><rect class="{level}" x="{x}" y="{y}" width="{CELL}"'
        f' height="{CELL}" rx="3" fill="{fill}"/><text class="v {kind}" x="{x + CELL / 2}"'
        f' y="{y + CELL / 2 + 4}" font-size="10" fill="{ink}"'
        f' text-anchor="middle">{escape(label or short(value, signed))}</text></g>'
    )


def colour(value: Any, low: float, high: float, signed: bool) -> tuple[str, str]:
    """(class, fill) of a value; what is not finite is neither light nor dark but marked."""
    if value == HIDDEN:
        return "unseen", "rgb(233,229,219)"
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


def exact(value: Any) -> str:
    """A number in six digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def opened(width: float, height: float, name: str, kind: str) -> str:
    """The beginning of an SVG with a name."""
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return f'<svg class="{kind}" {size} role="img" aria-label="{escape(name)}">'


def text(x: float, y: float, label: str, kind: str, anchor: str) -> str:
    """A label of at most seven characters."""
    shown = label if len(label) <= 7 else label[:6] + "…"
    return (
        f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="11" fill="currentColor"'
        f' text-anchor="{anchor}">{escape(shown)}</text>'
    )
