"""What visitors see first: a figure that moves, and where to begin."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.lessons import Lesson, Word, figures
from grader.problem import Problem
from server.services.rendering import statement
from server.services.rendering.figures import Drawing, draw
from server.web import definitions
from server.web.access import asking
from server.web.context import service
from server.web.texts import language, translate

SCORES = [2.0, 1.0, 0.5, -1.0]
SCALE, MOST = 1.0, 8.0


@dataclass(frozen=True, slots=True)
class Front:
    """The front of the bank for visitors."""

    drawing: Drawing
    caption: str


def front() -> Front | None:
    """Returns what stands above the problems; None for whoever is signed in."""
    if asking() is not None:
        return None
    labels = [translate("cat"), translate("sat"), translate("on"), translate("mat")]
    figure = figures.Softmax(SCORES, labels, SCALE, MOST)
    caption = translate(
        "How a word shares its attention among four others. Each has a score, which says how well"
        " it fits; the shares sum to 1. A larger scale gives more to the best, a scale of 0 the"
        " same to all."
    )
    return Front(draw(figure, translate("Shares of attention")), caption)


@dataclass(frozen=True, slots=True)
class Opening:
    """What a statement says before its rules."""

    parts: list[statement.Part]
    words: Sequence[Word]
    language: str


def opening(problem: Problem) -> Opening:
    """The beginning of a statement, up to its first section, in the reader's language."""
    shown = language() if language() in problem.statements else "en"
    text, _, _ = problem.statements[shown].partition("\n## ")
    parts, words = definitions.in_statement(statement.render(text), shown)
    return Opening([part for part in parts if not part.sample], words, shown)


def lessons_before(problem: Problem) -> list[Lesson]:
    """The first lesson about a problem, after those that it needs; else the first of all."""
    lessons = service().lessons
    about = next(iter(lessons.about(problem.slug)), None)
    if about is None:
        return list(lessons.all())[:1]
    return [*filter(None, map(lessons.get, about.requires)), about]


def may_try() -> bool:
    """Checks whether visitors may run samples here: only where anyone may have an account."""
    settings = service().settings
    return settings.visitors and settings.sign_up == "open"
