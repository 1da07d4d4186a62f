"""Atoms of a formula, set as text: in one line, or with fractions and cases drawn over several.

Each atom has a class that says what is put around it, as in TeX: relations and binary operators
stand between spaces, a comma is followed by one, brackets and functions hold on to what they
enclose. Whether two letters stand apart is taken from the source.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rich.cells import cell_len

SUPERSCRIPTS = str.maketrans("0123456789−+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")


class Class(StrEnum):
    """What decides the space around an atom."""

    LETTER = "letter"
    FUNCTION = "function"
    RELATION = "relation"
    OPERATOR = "operator"
    LARGE = "large"
    OPENING = "opening"
    CLOSING = "closing"
    COMMA = "comma"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Box:
    """Lines of text; line `base` is level with the text to its left and right."""

    lines: tuple[str, ...]
    base: int = 0

    @property
    def width(self) -> int:
        """In columns of the terminal."""
        return max(map(cell_len, self.lines))


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing in a row of a formula. `tall` is its form where there is room above and below."""

    kind: Class
    text: str
    apart: bool = False  # the source has a space before it
    tall: Box | None = None


def line(atoms: Sequence[Atom], tight: bool = False) -> str:
    """Atoms in one line; `tight` as in a subscript, without the spaces that are not needed."""
    pieces = [_space(atoms, i, tight) + atom.text for i, atom in enumerate(atoms)]
    return "".join(pieces).strip()


def _space(atoms: Sequence[Atom], i: int, tight: bool = False) -> str:
    """What stands before an atom."""
    if i == 0:
        return ""
    before, atom = atoms[i - 1], atoms[i]
    if Class.GAP in (before.kind, atom.kind):
        return ""
    if before.text.endswith(" ") or atom.text.startswith(" "):  # words bring their own
        return ""
    if before.kind is Class.OPENING or atom.kind in (Class.CLOSING, Class.COMMA):
        return ""
    if _sign(atoms, i - 1):
        return ""
    if Class.RELATION in (before.kind, atom.kind) or Class.OPERATOR in (before.kind, atom.kind):
        return "" if tight and not (before.text.isalnum() and atom.text.isalnum()) else " "
    if before.kind is Class.COMMA:
        return "" if tight else " "
    if before.kind is Class.FUNCTION and atom.kind is Class.OPENING:
        return ""
    return " " if atom.apart or before.kind in (Class.LARGE, Class.FUNCTION) else ""


def _sign(atoms: Sequence[Atom], i: int) -> bool:
    """Is this a minus or plus of one number, not between two?"""
    if atoms[i].kind is not Class.OPERATOR or atoms[i].text not in "+−±":
        return False
    return i == 0 or atoms[i - 1].kind in (
        Class.OPENING,
        Class.RELATION,
        Class.OPERATOR,
        Class.COMMA,
        Class.GAP,
    )


def beside(atoms: Sequence[Atom]) -> Box:
    """Atoms in a row, the tall ones drawn where no bracket is open: a bracket would have to grow
    with them.
    """
    boxes: list[Box] = []
    depth = 0
    for i, atom in enumerate(atoms):
        depth += (atom.kind is Class.OPENING) - (atom.kind is Class.CLOSING)
        boxes += [
            Box((_space(atoms, i),)),
            atom.tall if atom.tall and depth == 0 else Box((atom.text,)),
        ]
    base = max((b.base for b in boxes), default=0)
    below = max((len(b.lines) - b.base for b in boxes), default=1)
    rows = [
        "".join(_row(box, i - base + box.base) for box in boxes).rstrip()
        for i in range(base + below)
    ]
    return Box(tuple(rows), base)


def _row(box: Box, i: int) -> str:
    text = box.lines[i] if 0 <= i < len(box.lines) else ""
    return text + " " * (box.width - cell_len(text))


def _centred(text: str, width: int) -> str:
    left = (width - cell_len(text)) // 2
    return " " * left + text + " " * (width - left - cell_len(text))


def _bracketed(atoms: Sequence[Atom], kinds: Iterable[Class]) -> str:
    """In brackets where it holds something of these classes."""
    text = line(atoms)
    return f"({text})" if any(a.kind in tuple(kinds) for a in atoms) else text


def single(atoms: Sequence[Atom]) -> str:
    """In brackets unless it is one letter, number or name."""
    text = line(atoms)
    return text if (len(atoms) == 1 and "/" not in text) or text.isalnum() else f"({text})"


def fraction(above: Sequence[Atom], below: Sequence[Atom], apart: bool) -> Atom:
    """One number over another with a stroke, anything longer with a bar where there is room."""
    top, bottom = line(above), line(below)
    if len(above) == len(below) == 1:
        return Atom(Class.LETTER, f"{top}/{bottom}", apart)
    width = max(cell_len(top), cell_len(bottom))
    tall = Box((_centred(top, width), "─" * width, _centred(bottom, width)), 1)
    text = f"{_bracketed(above, (Class.OPERATOR, Class.RELATION, Class.LARGE))} / {single(below)}"
    return Atom(Class.LETTER, text, apart, tall)


def cases(rows: Sequence[Sequence[Sequence[Atom]]], apart: bool) -> Atom:
    """Rows of cells behind a brace."""
    told = [[re.sub(" +", " ", line(cell)) for cell in row] for row in rows]
    told = [row for row in told if any(row)]
    width = max((cell_len(row[0]) for row in told), default=0)
    lines = [
        "  ".join([row[0] + " " * (width - cell_len(row[0])), *row[1:]]).rstrip() for row in told
    ]
    middle = len(lines) // 2
    if len(lines) % 2 == 0:
        lines.insert(middle, "")
    braces = [
        "⎨" if i == middle else "⎧" if i == 0 else "⎩" if i == len(lines) - 1 else "⎪"
        for i in range(len(lines))
    ]
    tall = Box(
        tuple(f"{brace} {text}".rstrip() for brace, text in zip(braces, lines, strict=True)), middle
    )
    return Atom(
        Class.LETTER,
        "{ " + "; ".join(" ".join(row) for row in told) + " }",
        apart,
        tall if len(told) > 1 else None,
    )


def scripts(atom: Atom, below: Sequence[Atom], above: Sequence[Atom]) -> Atom:
    """An atom with what hangs below it and stands above it."""
    text = atom.text
    if below:
        low = line(below, tight=True)
        text += f"_{low}" if low.isalnum() else f"_({low})"
    if above:
        high = line(above, tight=True)
        if high == "⊤":
            text += "ᵀ"
        elif re.fullmatch(r"[−+]?\d+", high):
            text += high.translate(SUPERSCRIPTS)
        else:
            text += f"^{high}" if high.isalnum() else f"^({high})"
    return Atom(atom.kind, text, atom.apart)
