"""The lessons: the list of all, and the page of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response

from grader.errors import ProblemError
from grader.lessons import Lesson
from grader.problem import Problem
from server.messages import Message, sentence
from server.models.accounts import Role
from server.services import accounts, statistics
from server.services.lessons import answers, results
from server.services.lessons.page import Part, parts
from server.services.reviews import completions
from server.web import definitions
from server.web.access import asking, me, signed_in
from server.web.context import reading, service, stop_reading
from server.web.pages import lesson_page
from server.web.texts import language
from server.web.titles import problem_title

pages = Blueprint("lessons", __name__)


@dataclass(frozen=True, slots=True)
class Row:
    """A lesson as the list shows it."""

    lesson: Lesson
    summary: str
    requires: tuple[Lesson, ...]
    problems: tuple[Problem, ...]
    solved: int  # of these problems
    right: int  # answers to its questions


@dataclass(frozen=True, slots=True)
class Onward:
    """A problem to go on with after a lesson, and what is better done before it."""

    problem: Problem
    solved: bool
    lesson: Lesson | None  # a later one that leads to it as well
    missing: tuple[str, ...]  # titles of what it builds on and is not solved yet

    @property
    def ready(self) -> bool:
        """Is it next for whoever has read the lesson?"""
        return not self.solved and self.lesson is None and not self.missing


@pages.get("/lessons")
def home() -> str:
    """Every lesson in order, with what it needs and how far one is with its problems."""
    solved, right = _solved(), _right()
    rows = [_row(lesson, solved, right) for lesson in service().lessons.all()]
    faults = service().lessons.faults() if _instructs() else {}
    return render_template(
        "lessons.html", rows=rows, faults=faults, words=service().lessons.words()
    )


@pages.get("/words")
def words() -> str:
    """The words that statements and lessons use, each explained once."""
    shelf = service().lessons
    return render_template("words.html", words=shelf.words(), lesson_of=shelf.get)


def _row(lesson: Lesson, solved: set[str], right: Mapping[str, set[str]]) -> Row:
    known = service().lessons.problems()
    problems = tuple(known[slug] for slug in lesson.problems if slug in known)
    lessons = (service().lessons.get(slug) for slug in lesson.requires)
    done = sum(problem.slug in solved for problem in problems)
    summary = lesson_page.summary(lesson)
    known_names = {question.name for question in lesson.questions}
    answered = len(known_names & right.get(lesson.slug, set()))
    return Row(lesson, summary, tuple(each for each in lessons if each), problems, done, answered)


def _onward(lesson: Lesson, problems: tuple[Problem, ...], solved: set[str]) -> list[Onward]:
    shelf = service().lessons
    known = shelf.problems()
    onward = []
    for problem in problems:
        done = problem.slug in solved
        later = [each for each in shelf.about(problem.slug) if each.order > lesson.order]
        missing = [known[s] for s in problem.requires if s in known and s not in solved]
        before = later[-1] if later and not done else None
        onward.append(
            Onward(problem, done, before, () if done else tuple(map(problem_title, missing)))
        )
    return onward


def _solved() -> set[str]:
    user = asking()
    mine = statistics.standings(reading(), user.id) if user is not None else {}
    return {slug for slug, standing in mine.items() if standing.solved}


def _right() -> Mapping[str, set[str]]:
    user = asking()
    return answers.right(reading(), user.id) if user is not None else {}


@pages.get("/lessons/<slug>")
def show(slug: str) -> str:
    """A lesson: its text, figures and code, and what comes after it.

    Until the worker has computed its values, the page says so.
    """
    lesson = service().lessons.get(slug)
    if lesson is None:
        fault = service().lessons.faults().get(slug, "") if _instructs() else ""
        abort(404, fault or Message("There is no lesson '%(slug)s'.", slug=slug[:80]))
    shown, fault = _shown(lesson)
    everything = list(service().lessons.all())
    place = everything.index(lesson)
    text_language = language() if language() in lesson.texts else "en"
    marked, words_met = definitions.in_lesson(shown, text_language)
    solved = _solved()
    row = _row(lesson, solved, _right())
    return render_template(
        "lesson.html",
        row=row,
        onward=_onward(lesson, row.problems, solved),
        read_at=_read_at(lesson),
        lesson=lesson,
        parts=marked,
        words_met=words_met,
        fault=fault if _instructs() else "",
        broken=bool(fault),
        text_language="zh-Hans" if text_language == "zh" else "en",
        place=(place + 1, len(everything)),
        previous=everything[place - 1] if place else None,
        following=everything[place + 1] if place + 1 < len(everything) else None,
    )


@pages.post("/lessons/<slug>/read")
@signed_in
def read(slug: str) -> Response:
    """Records that one has read a lesson; the first time stays."""
    lesson, user = service().lessons.get(slug), me().id
    if lesson is None:
        abort(404, Message("There is no lesson '%(slug)s'.", slug=slug[:80]))
    stop_reading()
    with service().database.write() as session:
        completions.read(session, user, slug)
    return redirect(url_for("lessons.show", slug=slug, _anchor="end"), 303)


def _read_at(lesson: Lesson) -> datetime | None:
    user = asking()
    return completions.has_read(reading(), user.id, lesson.slug) if user is not None else None


def _shown(lesson: Lesson) -> tuple[tuple[Part, ...], str]:
    """The parts of a lesson, or why there are none; neither while they are computed."""
    try:
        row = results.find(reading(), lesson.slug, service().lessons.digest(lesson))
        if row is None or row.computed is None:
            return (), row.fault if row is not None else ""
        return parts(lesson, row.computed, language(), lesson_page.names()), ""
    except ProblemError as error:
        return (), sentence(error)


def _instructs() -> bool:
    user = asking()
    return user is not None and accounts.at_least(user.role, Role.INSTRUCTOR)
