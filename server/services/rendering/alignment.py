"""Aligns two programs that do the same: each line beside the one that is most like it.

`diff.py` pairs equal lines only. Two solutions of one problem rarely share a line, because their
authors chose other names; so lines are paired by how alike they are, in order (Needleman and
Wunsch 1970, with RapidFuzz's ratio as the score).
"""

from collections.abc import Iterator, Sequence

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from server.services.rendering.diff import Diff, DiffLine, side_by_side

MOST_CELLS = 40_000  # of lines times lines; larger pairs are compared by equal lines only
ALIKE = 55.0  # per cent; lines that are less alike do not stand beside each other


def aligned(left: str, right: str) -> Diff:
    """Pairs the lines of two programs; long ones as `side_by_side` does."""
    a, b = left.split("\n"), right.split("\n")
    if len(a) * len(b) > MOST_CELLS:
        return side_by_side(left, right)
    return Diff(left, right, tuple(_line(a, b, i, j) for i, j in _pairs(a, b)))


def _line(a: Sequence[str], b: Sequence[str], i: int | None, j: int | None) -> DiffLine:
    mine = (None, "") if i is None else (i + 1, a[i])
    other = (None, "") if j is None else (j + 1, b[j])
    if i is None or j is None:
        return DiffLine("added" if i is None else "removed", *mine, *other)
    return DiffLine("same" if _code(a[i]) == _code(b[j]) else "changed", *mine, *other)


def _code(line: str) -> str:
    """A line without its comment and its spaces at the ends, as far as that is sure."""
    code, mark, comment = line.partition("  # ")
    return line.strip() if mark and ("'" in comment or '"' in comment) else code.strip()


def _pairs(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """The places of lines that stand beside each other; None where a line stands alone."""
    alike = _alike(a, b)
    best = _best(alike)
    i = j = 0
    while i < len(a) and j < len(b):
        if alike[i, j] and best[i, j] == alike[i, j] + best[i + 1, j + 1]:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i, j] == best[i + 1, j]:
            yield i, None
            i += 1
        else:
            yield None, j
            j += 1
    yield from ((i, None) for i in range(i, len(a)))
    yield from ((None, j) for j in range(j, len(b)))


def _alike(a: Sequence[str], b: Sequence[str]) -> np.ndarray:
    """How alike each two lines are, in whole per cent; 0 for those that do not go together."""
    texts = [_code(line) for line in a], [_code(line) for line in b]
    ratios = np.round(cdist(*texts, scorer=fuzz.ratio, score_cutoff=ALIKE)).astype(np.int64)
    blank = np.array([not text for text in texts[0]])[:, None]
    blank_too = np.array([not text for text in texts[1]])[None, :]
    ratios[blank & blank_too] = 1  # blank lines go together, but never at the cost of code
    return ratios


def _best(alike: np.ndarray) -> np.ndarray:
    """The largest sum that the rest of both texts can reach, from each two places on."""
    rows, columns = alike.shape
    best = np.zeros((rows + 1, columns + 1), np.int64)
    for i in range(rows - 1, -1, -1):
        paired = alike[i] + best[i + 1, 1:]
        reached = np.maximum(paired, best[i + 1, :-1])
        # from the right: what the next place reaches may be reached from here, too
        best[i, :-1] = np.maximum.accumulate(reached[::-1])[::-1]
    return best
