"""The meanings of explained words, where a statement or a lesson first uses them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from grader.lessons import Word
from server.services.lessons import page
from server.services.rendering import statement
from server.services.rendering.definitions import Definitions
from server.web.context import service

STATEMENTS = 256  # whose marked text is kept: a third of what a page costs


def in_statement(
    parts: Sequence[statement.Part], text_language: str
) -> tuple[tuple[statement.Part, ...], tuple[Word, ...]]:
    """The parts of a statement with the words marked, and the words."""
    return _in_statement(tuple(parts), tuple(service().lessons.words()), text_language)


@lru_cache(maxsize=STATEMENTS)
def _in_statement(
    parts: tuple[statement.Part, ...], words: tuple[Word, ...], text_language: str
) -> tuple[tuple[statement.Part, ...], tuple[Word, ...]]:
    definitions = Definitions(words, text_language)
    marked = tuple(replace(part, html=definitions.mark(part.html)) for part in parts)
    return marked, tuple(definitions.met)


def in_lesson(
    parts: Sequence[page.Part], text_language: str
) -> tuple[tuple[page.Part, ...], list[Word]]:
    """The parts of a lesson with the words marked, and the words."""
    definitions = _definitions(text_language)
    return _marked(parts, definitions), definitions.met


def _marked(parts: Sequence[page.Part], definitions: Definitions) -> tuple[page.Part, ...]:
    return tuple(
        replace(part, html=definitions.mark(part.html), inside=_marked(part.inside, definitions))
        for part in parts
    )


def _definitions(text_language: str) -> Definitions:
    return Definitions(service().lessons.words(), text_language)
