"""Lines over one axis, linear or logarithmic, each with its own dashes besides its colour; and
measured points over logarithmic axes.
"""

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup, escape

from grader.lessons import figures
from server.services.rendering.figures.heat import opened

WIDTH, HEIGHT = 420, 290
LEFT, RIGHT, TOP, BOTTOM = 56, 18, 28, 44
TICKS = 6


def lines(curve: figures.Curve, name: str) -> Markup:
    """The lines between their axes; the legend stands beside the drawing."""
    values = [value for line in curve.lines.values() for value in line]
    across = _Axis(curve.x, curve.log, LEFT, WIDTH - RIGHT)
    up = _Axis(values, curve.log, HEIGHT - BOTTOM, TOP)
    names = curve.x_name, curve.y_name
    parts = [opened(WIDTH, HEIGHT, name, "curve"), *_frame(across, up, *names)]
    for i, line in enumerate(curve.lines.values()):
        points = " ".join(
            f"{across.place(x):.1f},{up.place(y):.1f}" for x, y in zip(curve.x, line, strict=True)
        )
        parts.append(f'<polyline class="line c{i}" points="{points}"/>')
    return Markup("".join(parts) + "</svg>")


def measured(
    series: Mapping[str, Sequence[tuple[float, float]]], x_name: str, y_name: str, name: str
) -> Markup:
    """Points above 0 and the lines between them, over two logarithmic axes of whole decades.

    Each series has points of its own, and keeps its dashes also where another has none.
    """
    everything = [point for points in series.values() for point in points]
    across = _Axis(_decades([x for x, _ in everything]), True, LEFT, WIDTH - RIGHT)
    up = _Axis(_decades([y for _, y in everything]), True, HEIGHT - BOTTOM, TOP)
    parts = [opened(WIDTH, HEIGHT, name, "curve"), *_frame(across, up, x_name, y_name)]
    drawn = ((i, points) for i, points in enumerate(series.values()) if points)
    for i, points in drawn:
        places = [(across.place(x), up.place(y)) for x, y in points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline class="line c{i}" points="{line}"/>')
        parts += [
            f'<circle class="point c{i}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places
        ]
    return Markup("".join(parts) + "</svg>")


def _decades(values: Sequence[float]) -> list[float]:
    """The powers of ten around some values."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return [10.0**low, 10.0 ** max(high, low + 1)]


def _frame(across: "_Axis", up: "_Axis", x_name: str, y_name: str) -> list[str]:
    floor, parts = HEIGHT - BOTTOM, []
    for value in across.ticks():
        at = across.place(value)
        parts.append(f'<path class="grid" d="M{at:.1f} {TOP}V{floor}"/>')
        parts.append(f'<text class="tick" x="{at:.1f}" y="{floor + 17}">{_said(value)}</text>')
    for value in up.ticks():
        at = up.place(value)
        parts.append(f'<path class="grid" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(
            f'<text class="tick of-y" x="{LEFT - 6}" y="{at + 4:.1f}">{_said(value)}</text>'
        )
    parts.append(f'<path class="axis" d="M{LEFT} {TOP}V{floor}H{WIDTH - RIGHT}"/>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text class="axis-name" x="{middle:g}" y="{HEIGHT - 8}">{escape(x_name)}</text>')
    parts.append(f'<text class="axis-name of-y" x="4" y="14">{escape(y_name)}</text>')
    return parts


class _Axis:
    """Where a value stands between two places of the drawing."""

    def __init__(self, values: Sequence[float], log: bool, begin: float, end: float) -> None:
        self.log, self.begin, self.end = log, begin, end
        low, high = min(map(self._scaled, values)), max(map(self._scaled, values))
        if not log and 0 < low < high / 2:
            low = 0.0
        self.low, self.high = low, high if high > low else low + 1

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.log else float(value)

    def place(self, value: float) -> float:
        part = (self._scaled(value) - self.low) / (self.high - self.low)
        return self.begin + part * (self.end - self.begin)

    def ticks(self) -> list[float]:
        if self.log:
            return [10.0**n for n in range(math.ceil(self.low), math.floor(self.high) + 1)]
        step = _step((self.high - self.low) / TICKS)
        first = math.ceil(self.low / step)
        return [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _step(rough: float) -> float:
    """The next larger of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next((n * power for n in (1, 2, 5) if n * power >= rough), 10 * power)


def _said(value: float) -> str:
    if value and (abs(value) >= 100_000 or abs(value) < 0.001):
        return f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    return f"{value:g}"
