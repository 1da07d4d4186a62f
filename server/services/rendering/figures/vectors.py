"""Vectors of the plane as arrows from the origin."""

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup, escape

from server.services.rendering.figures.heat import opened

SIDE, MARGIN = 340, 22
HEAD = 9  # of an arrow
COLOURS = 6


def limit_of(vectors: Mapping[str, Sequence[float]]) -> int:
    """The whole number at the end of both axes; some room is left for dragging."""
    largest = max((abs(n) for vector in vectors.values() for n in vector), default=1.0)
    return max(1, math.ceil(largest * 1.15))


def arrows(vectors: Mapping[str, Sequence[float]], name: str) -> Markup:
    """The arrows between two axes with a grid."""
    limit = limit_of(vectors)
    unit = (SIDE / 2 - MARGIN) / limit
    parts = [opened(SIDE, SIDE, name, "plane"), *_grid(limit, unit)]
    for i, (label, (x, y)) in enumerate(vectors.items()):
        parts.append(_arrow(label, SIDE / 2 + x * unit, SIDE / 2 - y * unit, i % COLOURS))
    return Markup("".join(parts) + "</svg>")


def _grid(limit: int, unit: float) -> list[str]:
    lines, step = [], max(1, limit // 5)
    for n in range(-limit, limit + 1, step):
        at, kind = SIDE / 2 + n * unit, "axis" if n == 0 else "grid"
        near, far = MARGIN, SIDE - MARGIN
        lines.append(f'<path class="{kind}" d="M{at:g} {near}V{far}M{near} {at:g}H{far}"/>')
        if n:
            half = SIDE / 2
            lines.append(f'<text class="tick" x="{at:g}" y="{half + 13:g}">{n}</text>')
            lines.append(f'<text class="tick" x="{half - 6:g}" y="{at + 4:g}">{-n}</text>')
    return lines


def _arrow(label: str, x: float, y: float, colour: int) -> str:
    centre = SIDE / 2
    angle = math.atan2(y - centre, x - centre)
    wings = " ".join(
        f"{x - HEAD * math.cos(angle + turn):.1f},{y - HEAD * math.sin(angle + turn):.1f}"
        for turn in (0.4, -0.4)
    )
    side = "start" if x >= centre else "end"
    aside = 8 if x >= centre else -8
    below = 14 if y > centre else -6
    return (
        f'<g class="arrow c{colour}" data-label="{escape(label)}">'
        f'<path class="shaft" d="M{centre:g} {centre:g}L{x:.1f} {y:.1f}"/>'
        f'<polygon class="head" points="{x:.1f},{y:.1f} {wings}"/>'
        f'<text class="name" x="{x + aside:.1f}" y="{y + below:.1f}" text-anchor="{side}">'
        f"{escape(label)}</text></g>"
    )
