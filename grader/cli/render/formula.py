r"""A LaTeX formula as text for a terminal: `\frac{Q K^\top}{\sqrt{D}}` as `Q Kᵀ / √D`, or with a
drawn bar where it stands alone.

Read token by token into atoms, which `typeset` puts together. Commands that take nothing are looked
up by pylatexenc; a malformed formula gives some text.
"""

import re
from collections.abc import Sequence

from pylatexenc.latex2text import get_default_latex_context_db

from grader.cli.render.typeset import Atom, Class, beside, cases, fraction, line, scripts, single

SYMBOLS = get_default_latex_context_db()
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
FONTS = ("rm", "bf", "it", "tt", "bb", "cal")
NAMES = ("\\operatorname", "\\text", "\\textrm", *(f"\\math{font}" for font in FONTS))
SIZES = re.compile(r"\\[bB]igg?[lmr]?")  # of the bracket that follows
# combining characters, which stand behind their letter
ACCENTS = {
    "\\hat": "\u0302",
    "\\bar": "\u0304",
    "\\tilde": "\u0303",
    "\\dot": "\u0307",
    "\\vec": "\u20d7",
}
# what pylatexenc does not know
OTHERS = {"\\ne": "≠", "\\iff": "⟺", "\\bmod": "mod"}
SPACES = ("\\,", "\\;", "\\:", "\\ ", "\\!")
QUADS = ("\\quad", "\\qquad")
CLASSES = {
    "=<>≤≥≠∈∉≈≡∼→←↦⟺⊂⊆∣": Class.RELATION,
    "+−±∓×·∘⊙⊗⊕∪∩∧∨": Class.OPERATOR,
    "([{⌊⌈⟨": Class.OPENING,
    ")]}⌋⌉⟩": Class.CLOSING,
    "∑∏∫": Class.LARGE,
    ",;": Class.COMMA,
}


def inline(formula: str) -> str:
    """A formula as one line of text."""
    return line(_Reader(formula).row())


def display(formula: str, width: int = 74) -> list[str]:
    """A formula on lines of its own: fractions and cases are drawn; what is too wide is broken
    where the source has a quad.
    """
    atoms = _Reader(formula).row()
    whole = beside(atoms)
    if whole.width <= width:
        return list(whole.lines)
    return [text for part in _split(atoms) for text in beside(part).lines]


def _split(atoms: Sequence[Atom]) -> list[list[Atom]]:
    parts: list[list[Atom]] = [[]]
    for atom in atoms:
        if atom.kind is Class.GAP:
            parts.append([])
        else:
            parts[-1].append(atom)
    return [part for part in parts if part]


class _Reader:
    """Reads a formula token by token."""

    def __init__(self, source: str) -> None:
        self.tokens: list[str] = TOKEN.findall(source.strip())
        self.at = 0

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def blank(self) -> bool:
        """Skip spaces. Were there any?"""
        skipped = False
        while self.peek() and (self.peek().isspace() or self.peek() in SPACES):
            skipped = True
            self.at += 1
        return skipped

    def row(self, until: tuple[str, ...] = ()) -> list[Atom]:
        """Atoms up to one of these tokens, which is left."""
        atoms: list[Atom] = []
        while True:
            apart = self.blank()
            token = self.peek()
            if not token or token in until:
                return atoms
            self.at += 1
            if token in ("^", "_"):
                attached = {token: self.argument()}
                while self.peek() in ("^", "_"):
                    attached |= {self.next(): self.argument()}
                last = atoms.pop() if atoms else Atom(Class.LETTER, "")
                atoms.append(scripts(last, attached.get("_", []), attached.get("^", [])))
            else:
                atoms += self.atoms(token, apart)

    def argument(self) -> list[Atom]:
        """A group in braces, or one token."""
        self.blank()
        if self.peek() == "{":
            return self.group()
        return self.atoms(self.next(), False) if self.peek() else []

    def group(self) -> list[Atom]:
        self.at += 1
        atoms = self.row(("}",))
        self.at += 1
        return atoms

    def name(self) -> str:
        """The text of a group, spaces and all."""
        self.blank()
        if self.peek() != "{":
            return self.next() if self.peek() else ""
        rest = self.tokens[self.at + 1 :]
        size = rest.index("}") if "}" in rest else len(rest)
        self.at += size + 2
        return "".join(rest[:size])

    def atoms(self, token: str, apart: bool) -> list[Atom]:
        """What a token stands for."""
        if token == "{":
            self.at -= 1
            return self.group()
        if token in NAMES:
            return [
                Atom(
                    Class.FUNCTION if token == "\\operatorname" else Class.LETTER,
                    self.name(),
                    apart,
                )
            ]
        if token in QUADS:
            return [Atom(Class.GAP, "   ")]
        if token in ("\\frac", "\\tfrac", "\\dfrac"):
            return [fraction(self.argument(), self.argument(), apart)]
        if token == "\\sqrt":
            return [Atom(Class.LETTER, f"√{single(self.argument())}", apart)]
        if token in ACCENTS:
            text = line(self.argument())
            return [Atom(Class.LETTER, text + ACCENTS[token] if text else "", apart)]
        if SIZES.fullmatch(token):
            self.blank()
            return self.atoms(self.next(), apart) if self.peek() else []
        if token == "\\begin":
            return [self.environment(apart)]
        if token in ("\\left", "\\right"):
            self.blank()
            side = self.next() if self.peek() else ""
            return (
                []
                if side == "."
                else [
                    Atom(
                        Class.OPENING if token == "\\left" else Class.CLOSING, _symbol(side), apart
                    )
                ]
            )
        text = _symbol(token)
        return [Atom(_class(token, text), text, apart)]

    def environment(self, apart: bool) -> Atom:
        """Rows of cells, up to the end of the environment."""
        if self.name() == "array":
            self.name()
        rows: list[list[list[Atom]]] = [[self.row(("&", "\\\\", "\\end"))]]
        while self.peek() not in ("", "\\end"):
            fresh = self.next() == "\\\\"
            cell = self.row(("&", "\\\\", "\\end"))
            if fresh:
                rows.append([cell])
            else:
                rows[-1].append(cell)
        if self.peek():
            self.at += 1
            self.name()
        return cases(rows, apart)


def _symbol(token: str) -> str:
    """A token as a character: `\\le` as `≤`, a hyphen as a minus."""
    if token in OTHERS:
        return OTHERS[token]
    if token.startswith("\\") and len(token) > 1:
        replacement = getattr(SYMBOLS.get_macro_spec(token[1:]), "simplify_repl", None)
        # "%s" stands for an argument
        plain = (
            replacement.strip() if isinstance(replacement, str) and "%" not in replacement else ""
        )
        return "·" if plain == "⋅" else plain or token[1:]
    return "−" if token == "-" else token


def _class(token: str, text: str) -> Class:
    if token == "\\bmod":
        return Class.OPERATOR
    for characters, kind in CLASSES.items():
        if text in characters:
            return kind
    return (
        Class.FUNCTION
        if token.startswith("\\") and len(text) > 1 and text.isalpha()
        else Class.LETTER
    )
