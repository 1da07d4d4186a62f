"""Reads the Markdown of a lesson: what stands by itself between the prose, and what stands in it.

Nothing here makes HTML. Each piece keeps the line on which it begins, so that an error can say
where.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from grader.errors import ProblemError
from grader.findings.text import T_, Text
from grader.problem import did_you_mean


class Kind(StrEnum):
    """What a piece of a lesson is."""

    PROSE = "prose"
    VERBATIM = "verbatim"  # code between fences, as it stands
    CODE = "code"  # a region of lesson.py
    FIGURE = "figure"
    MISTAKE = "mistake"  # a known mistake of a problem
    MISCONCEPTION = "misconception"
    ANSWER = "answer"  # of a question to the reader
    # inside prose
    VALUE = "value"
    PROBLEM = "problem"
    LESSON = "lesson"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a lesson.

    `text` is Markdown, or the name of what is shown; a figure has a caption, in Markdown too.
    """

    kind: Kind
    text: str
    line: int
    caption: str = ""
    inside: tuple["Piece", ...] = ()  # of an answer


@dataclass(frozen=True, slots=True)
class Place:
    """A placeholder: what it is of, its name, its format and its line."""

    kind: Kind
    name: str
    format: str
    line: int


ALONE = {Kind.CODE, Kind.FIGURE, Kind.MISTAKE}
WITHIN = {Kind.VALUE, Kind.PROBLEM, Kind.LESSON}
# `a[[0]]` of a program is none: a placeholder has a word, a colon and a blank
PLACEHOLDER = re.compile(
    r"\[\[([A-Za-z_]+):[ \t]+([^\]|\n]*?)[ \t]*(?:\|[ \t]*([^\]\n]*?)[ \t]*)?\]\]"
)
FENCE = re.compile(r"\s*(```+|~~~+)")
OPEN, CLOSE = "[[answer]]", "[[/answer]]"
# the word with which a box begins, in each language
MISCONCEPTION = re.compile(
    r">\s*\*\*(Misconception|误解|误区|常见误解|常见误区)\s*[.。:：]?\s*\*\*"
)
FORMAT = re.compile(r"[+,]{0,2}(\.\d{1,2})?[defg%]?")


@lru_cache(maxsize=64)
def pieces(text: str, path: Path) -> tuple[Piece, ...]:
    """Returns the pieces of a lesson without its title.

    Raises `ProblemError` for a placeholder that is malformed, and for an answer without an end.
    """
    head, _, rest = text.partition("\n")
    if not head.startswith("# "):
        words = T_("%(path)s, line 1: a lesson begins with its title, '# Title'", path=str(path))
        raise ProblemError(words)
    return tuple(_Reader(rest.split("\n"), path, 2).read())


def places(parts: tuple[Piece, ...]) -> Iterator[Place]:
    """Every placeholder of some pieces, also those inside answers and captions."""
    for piece in parts:
        if piece.kind in ALONE:
            yield Place(piece.kind, piece.text, "", piece.line)
        prose = piece.text if piece.kind in (Kind.PROSE, Kind.MISCONCEPTION) else piece.caption
        for number, line in enumerate(prose.split("\n")):
            for match in PLACEHOLDER.finditer(line):
                kind = Kind(match[1])
                yield Place(kind, match[2], match[3] or "", piece.line + number)
        yield from places(piece.inside)


class _Reader:
    """The lines of a text, taken apart from top to bottom."""

    def __init__(self, lines: list[str], path: Path, first: int) -> None:
        self.lines, self.path, self.first = lines, path, first
        self.at = 0
        self.prose: list[str] = []
        self.begun = first

    def read(self) -> Iterator[Piece]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            piece = self._fence(line) or self._answer(line) or self._alone(line) or self._box(line)
            if piece is None:
                self._check()
                self._keep(line)
                self.at += 1
            else:
                yield from self._prose()
                yield piece
        yield from self._prose()

    def _keep(self, line: str) -> None:
        if not self.prose:
            self.begun = self.first + self.at
        self.prose.append(line)

    def _prose(self) -> Iterator[Piece]:
        text = "\n".join(self.prose)
        self.prose = []
        if text.strip():
            yield Piece(Kind.PROSE, text, self.begun)

    def _fence(self, line: str) -> Piece | None:
        """Code between fences, in which nothing is a placeholder."""
        fence = FENCE.match(line)
        if fence is None:
            return None
        begin, self.at = self.at, self.at + 1
        while self.at < len(self.lines):
            self.at += 1
            if self.lines[self.at - 1].strip().startswith(fence[1]):
                break
        text = textwrap.dedent("\n".join(self.lines[begin : self.at]))
        return Piece(Kind.VERBATIM, text, self.first + begin)

    def _answer(self, line: str) -> Piece | None:
        if line.strip() == CLOSE:
            raise self._wrong(T_("'%(close)s' ends no answer", close=CLOSE))
        if line.strip() != OPEN:
            return None
        begin, self.at = self.at, self.at + 1
        while self.at < len(self.lines) and self.lines[self.at].strip() != CLOSE:
            self.at += 1
        if self.at == len(self.lines):
            self.at = begin
            raise self._wrong(T_("this '%(open)s' has no '%(close)s'", open=OPEN, close=CLOSE))
        within = textwrap.dedent("\n".join(self.lines[begin + 1 : self.at])).split("\n")
        self.at += 1
        inside = tuple(_Reader(within, self.path, self.first + begin + 1).read())
        return Piece(Kind.ANSWER, "", self.first + begin, inside=inside)

    def _alone(self, line: str) -> Piece | None:
        match = PLACEHOLDER.fullmatch(line.strip())
        if match is None or self._kind(match[1]) not in ALONE:
            return None
        number, kind = self.first + self.at, Kind(match[1])
        self.at += 1
        caption = self._caption() if kind is Kind.FIGURE else ""
        return Piece(kind, match[2], number, caption)

    def _caption(self) -> str:
        """The paragraph in italics that follows a figure."""
        at = self.at
        while at < len(self.lines) and not self.lines[at].strip():
            at += 1
        first = self.lines[at].strip() if at < len(self.lines) else ""
        if first[:1] not in ("*", "_") or first[1:2] in ("", first[0]):
            return ""
        end = at
        while end < len(self.lines) and self.lines[end].strip():
            end += 1
            if self.lines[end - 1].rstrip().endswith(first[0]):
                break
        text = "\n".join(line.strip() for line in self.lines[at:end])
        if not text.endswith(first[0]):
            return ""
        while self.at < end:
            self._check()
            self.at += 1
        return text[1:-1].strip()

    def _box(self, line: str) -> Piece | None:
        if not MISCONCEPTION.match(line):
            return None
        begin = self.at
        while self.at < len(self.lines) and self.lines[self.at].startswith(">"):
            self._check()
            self.at += 1
        lines = (line[1:].removeprefix(" ") for line in self.lines[begin : self.at])
        return Piece(Kind.MISCONCEPTION, "\n".join(lines), self.first + begin)

    def _check(self) -> None:
        """The placeholders of a line of prose are of kinds that can stand there."""
        for match in PLACEHOLDER.finditer(self.lines[self.at]):
            kind = self._kind(match[1])
            if kind in ALONE:
                words = T_("'%(text)s' must stand on a line of its own", text=match[0])
                raise self._wrong(words)
            if match[3] is not None and (kind is not Kind.VALUE or not FORMAT.fullmatch(match[3])):
                words = T_(
                    "'%(text)s': '%(format)s' is not a format of a value; write .3f, d or .0%%",
                    text=match[0],
                    format=match[3],
                )
                raise self._wrong(words)

    def _kind(self, name: str) -> Kind:
        known = [str(kind) for kind in (*ALONE, *WITHIN)]
        if name not in known:
            words = T_(
                "unknown placeholder '[[%(name)s: …]]'%(meant)s; a lesson has %(known)s",
                name=name,
                meant=did_you_mean(name, known),
                known=", ".join(sorted(known)),
            )
            raise self._wrong(words)
        return Kind(name)

    def _wrong(self, what: Text) -> ProblemError:
        line = self.first + self.at
        return ProblemError(
            T_("%(path)s, line %(line)d: %(what)s", path=str(self.path), line=line, what=what)
        )
