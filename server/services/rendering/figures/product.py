"""A matrix product: the left factor beside the result, the right factor above it, so that a row and
a column meet in their cell.
"""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from server.services.rendering.figures.heat import CELL, GAP, cell, limits, opened, short

SPACE, EDGE = 18, 4
PITCH = CELL + GAP


def multiplied(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The product of two matrices."""
    columns = list(zip(*right, strict=True))
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left
    ]


def product(left: list[list[Any]], right: list[list[Any]], name: str) -> Markup:
    """The three matrices in one drawing."""
    x, y = EDGE + len(left[0]) * PITCH + SPACE, EDGE + len(right) * PITCH + SPACE
    width, height = x + len(right[0]) * PITCH + EDGE, y + len(left) * PITCH + EDGE
    parts = [opened(width, height, name, "heat-map product")]
    parts += _cells("left", left, EDGE, y)
    parts += _cells("right", right, x, EDGE)
    parts += _cells("result", multiplied(left, right), x, y)
    return Markup("".join(parts) + "</svg>")


def _cells(part: str, matrix: list[list[Any]], x: float, y: float) -> list[str]:
    low, high = limits(matrix, signed=True)
    drawn = (
        cell(
            x + j * PITCH, y + i * PITCH, value, low, high, True, f"{i + 1}, {j + 1}", short(value)
        )
        for i, row in enumerate(matrix)
        for j, value in enumerate(row)
    )
    return [f'<g data-part="{part}">', *drawn, "</g>"]
