"""Compares two texts line by line, at a bounded cost.

RapidFuzz finds the longest common subsequence with bit-parallel code in C++: two shuffled sources
of 32,000 one-character lines take 0.3 s and 140 MiB, where `difflib` takes 15 s with 26 letters and
more than two minutes with two. `MOST_LINES` keeps it near 10 ms, and the table that shows it near
20 ms.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

MOST_LINES = 2000  # of each text; above that they are shown without being aligned


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of two texts side by side; a number of None: no line on that side."""

    kind: str  # same, changed, added, removed
    left_number: int | None
    left: str
    right_number: int | None
    right: str


@dataclass(frozen=True, slots=True)
class Diff:
    """Two texts, aligned line by line, or as they are when one of them is too long for that."""

    left: str
    right: str
    lines: tuple[DiffLine, ...]
    aligned: bool = True


def side_by_side(left: str, right: str, most: int = MOST_LINES) -> Diff:
    """Aligns two texts, unless one has more than `most` lines."""
    a, b = left.splitlines(), right.splitlines()
    if max(len(a), len(b)) > most:
        return Diff(left, right, (), aligned=False)
    return Diff(left, right, tuple(_lines(a, b)))


def _lines(a: list[str], b: list[str]) -> Iterator[DiffLine]:
    for i1, i2, j1, j2, same in _blocks(a, b):
        for step in range(max(i2 - i1, j2 - j1)):
            i, j = i1 + step, j1 + step
            has_left, has_right = i < i2, j < j2
            changed = "changed" if has_left and has_right else "removed" if has_left else "added"
            mine = (i + 1, a[i]) if has_left else (None, "")
            other = (j + 1, b[j]) if has_right else (None, "")
            yield DiffLine("same" if same else changed, *mine, *other)


def _blocks(a: list[str], b: list[str]) -> Iterator[tuple[int, int, int, int, bool]]:
    """(from, to) on the left, (from, to) on the right, whether they are equal; in order and without
    a gap.
    """
    numbers: dict[str, int] = {}
    ids = [[numbers.setdefault(line, len(numbers)) for line in text] for text in (a, b)]
    i = j = 0
    for block in LCSseq.opcodes(ids[0], ids[1]):
        if block.tag != "equal":
            continue
        if (block.src_start, block.dest_start) != (i, j):
            yield i, block.src_start, j, block.dest_start, False
        yield block.src_start, block.src_end, block.dest_start, block.dest_end, True
        i, j = block.src_end, block.dest_end
    if (i, j) != (len(a), len(b)):
        yield i, len(a), j, len(b), False
