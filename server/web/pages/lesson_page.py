"""What pages show of lessons, in the reader's language."""

from flask import url_for

from grader.lessons import Lesson
from server.messages import Message
from server.services.lessons.page import Names, Target
from server.web.context import service
from server.web.texts import language, translate, words_of
from server.web.titles import lesson_title, problem_title


def summary(lesson: Lesson) -> str:
    """What it is about, in the reader's language."""
    return lesson.summary_zh if language() == "zh" and lesson.summary_zh else lesson.summary


def lessons_about(problem: str) -> list[Lesson]:
    """The lessons that lead to a problem."""
    return service().lessons.about(problem)


def lesson_of(slug: str) -> Lesson | None:
    """The lesson that explains a word; None where no lesson does."""
    return service().lessons.get(slug) if slug else None


def figure_word(said: str | Message) -> str:
    """A word of ours in a figure, translated; its author's labels stay as they are."""
    return translate(said) if isinstance(said, Message) else said


def names() -> Names:
    """How this page calls what a lesson names."""
    return Names(_problem, _lesson, _mistake)


def _problem(slug: str) -> Target:
    problem = service().bank.get(slug)
    if problem is None:
        return Target(slug)
    return Target(problem_title(problem), url_for("learn.problem", slug=slug))


def _lesson(slug: str) -> Target:
    lesson = service().lessons.get(slug)
    return Target(slug) if lesson is None else Target(lesson_title(lesson), _address(slug))


def _address(slug: str) -> str:
    return url_for("lessons.show", slug=slug)


def _mistake(name: str) -> Target:
    slug, _, mistake = name.partition("/")
    problem = service().bank.get(slug)
    known = {each.name: each for each in problem.mistakes} if problem else {}
    if mistake not in known:
        return Target(name)
    target = _problem(slug)
    return Target(target.title, target.address, words_of(slug).hint(mistake, known[mistake].hint))
