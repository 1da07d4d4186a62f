"""A lesson as the parts of a page: prose as HTML, code, figures, mistakes, boxes and answers."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from grader.lessons import Kind, Lesson, Piece, Values, figure, formatted, pieces
from grader.lessons.text import PLACEHOLDER
from server.services.rendering import statement
from server.services.rendering.figures import Drawing, draw

NOTHING = Markup()
SPECIAL = re.compile(r"([\\`*_\[\]<>$&])")


@dataclass(frozen=True, slots=True)
class Target:
    """What a link or a mistake leads to. Without an address it is named, not linked."""

    title: str
    address: str = ""
    hint: str = ""  # of a mistake


@dataclass(frozen=True, slots=True)
class Names:
    """How a page calls what a lesson names, in the reader's language."""

    problem: Callable[[str], Target]
    lesson: Callable[[str], Target]
    mistake: Callable[[str], Target]


@dataclass(frozen=True, slots=True)
class Part:
    """One thing after another on the page."""

    kind: Kind
    html: Markup = NOTHING
    name: str = ""
    drawing: Drawing | None = None
    target: Target | None = None
    inside: tuple["Part", ...] = ()


def parts(lesson: Lesson, values: Values, language: str, names: Names) -> tuple[Part, ...]:
    """The parts of a lesson in a language; `values` are all that its text uses."""
    body = pieces(lesson.text(language), lesson.file(language))
    maker = _Maker(lesson, values, language, names)
    texts = list(maker.texts(body))
    maker.html = iter(statement.markdown_html(tuple(texts)))
    return maker.parts(body)


class _Maker:
    """Makes parts of pieces: first the Markdown of all, typeset at once, then each part."""

    def __init__(self, lesson: Lesson, values: Values, language: str, names: Names) -> None:
        self.lesson, self.values, self.language, self.names = lesson, values, language, names
        self.html: Iterator[Markup] = iter(())

    def texts(self, body: Sequence[Piece]) -> Iterator[str]:
        """The Markdown of the pieces, in the order in which `parts` takes their HTML."""
        for piece in body:
            if piece.kind is Kind.VERBATIM:
                yield piece.text
            elif piece.kind in (Kind.PROSE, Kind.MISCONCEPTION):
                yield self._filled(piece.text)
            elif piece.kind is Kind.FIGURE:
                yield self._filled(piece.caption)
            yield from self.texts(piece.inside)

    def parts(self, body: Sequence[Piece]) -> tuple[Part, ...]:
        return tuple(map(self._part, body))

    def _part(self, piece: Piece) -> Part:
        match piece.kind:
            case Kind.CODE:
                return Part(piece.kind, statement.python_html(self.lesson.regions[piece.text]))
            case Kind.FIGURE:
                return self._figure(piece)
            case Kind.MISTAKE:
                return Part(piece.kind, name=piece.text, target=self.names.mistake(piece.text))
            case Kind.ANSWER:
                return Part(piece.kind, inside=self.parts(piece.inside))
            case _:
                return Part(piece.kind, next(self.html))

    def _figure(self, piece: Piece) -> Part:
        caption = next(self.html)
        shown = figure(piece.text, self.values[piece.text], "lesson.py", self.language)
        said = caption.striptags() or piece.text
        return Part(piece.kind, caption, piece.text, draw(shown, said))

    def _filled(self, text: str) -> str:
        """Markdown with its values and links put in."""
        return PLACEHOLDER.sub(self._put, text)

    def _put(self, match: re.Match[str]) -> str:
        kind, name = Kind(match[1]), match[2]
        if kind is Kind.VALUE:
            shown = formatted(name, self.values[name], match[3] or "")
            return shown if type(self.values[name]) is not str else _escaped(shown)
        target = self.names.problem(name) if kind is Kind.PROBLEM else self.names.lesson(name)
        title = _escaped(target.title)
        return f"[{title}]({target.address})" if target.address else title


def _escaped(text: str) -> str:
    return SPECIAL.sub(r"\\\1", text)
