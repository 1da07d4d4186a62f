"""Attention maps of a text: a square for each pair of characters, dark where one looks at another.

They have too many cells for numbers: a square is drawn with all others of its shade, and `looks`
has what a table says.
"""

from collections.abc import Sequence

from markupsafe import Markup, escape

from server.services.rendering.figures.heat import colour, opened

CELL, LEFT, TOP = 10, 16, 16
LEAST = 3  # hundredths that are still drawn

Weights = Sequence[Sequence[int]]  # in hundredths; row i has i + 1 entries


def attention(weights: Weights, characters: Sequence[str], name: str) -> Markup:
    """One map: a row for each character, a column for each that it may look at."""
    size = len(characters) * CELL
    parts = [opened(LEFT + size + 2, TOP + size + 2, name, "attention-map")]
    parts.append(f'<path class="grid" d="{_triangle(len(characters))}" fill="none"/>')
    shades: dict[tuple[str, str], list[str]] = {}
    for i, row in enumerate(weights):
        for j, weight in enumerate(row):
            if weight >= LEAST:
                shade = colour(weight / 100, 0.0, 1.0, signed=False)
                place = f"M{LEFT + j * CELL} {TOP + i * CELL}h9v9h-9z"
                shades.setdefault(shade, []).append(place)
    for (level, fill), places in sorted(shades.items()):
        parts.append(f'<path class="{level}" fill="{fill}" d="{"".join(places)}"/>')
    parts += _labels(characters)
    return Markup("".join(parts) + "</svg>")


def _triangle(count: int) -> str:
    """The outline of what a causal map can fill."""
    steps = f"h{CELL}v{CELL}" * count
    return f"M{LEFT} {TOP}{steps}H{LEFT}z"


def _labels(characters: Sequence[str]) -> list[str]:
    """The characters above and beside the map, in one element each."""
    middles = [i * CELL + CELL / 2 for i in range(len(characters))]
    text = escape("".join(characters))
    across = " ".join(f"{LEFT + x:g}" for x in middles)
    down = " ".join(f"{TOP + y + 3:g}" for y in middles)
    beside = " ".join([str(LEFT - 8)] * len(characters))
    common = 'class="tk" font-size="9" fill="currentColor" text-anchor="middle" aria-hidden="true"'
    return [
        f'<text {common} x="{across}" y="{TOP - 5}">{text}</text>',
        f'<text {common} x="{beside}" y="{down}">{text}</text>',
    ]


def looks(weights: Weights, most: int = 3) -> list[list[tuple[int, int]]]:
    """For each character, where it looks most: (place, hundredths), the largest first."""
    looked = []
    for row in weights:
        places = sorted(enumerate(row), key=lambda pair: -pair[1])[:most]
        looked.append([(place, weight) for place, weight in places if weight >= LEAST])
    return looked
