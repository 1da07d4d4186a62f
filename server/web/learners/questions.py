"""The questions of a lesson: one after another on a page, each with a form of its own."""

from collections.abc import Mapping

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from grader.errors import ProblemError, UsageError
from grader.lessons import Lesson, Values
from server.messages import Message
from server.services.lessons import answers, results
from server.services.lessons.questions import LONGEST_ANSWER, Asked, Result, answer_of, ask, judge
from server.web.access import asking
from server.web.context import reading, service, stop_reading
from server.web.panels.question import Row
from server.web.texts import language, translate

pages = Blueprint("questions", __name__)
TODAY = "today"  # of a review: the page leads back to those of today
KEPT = "kept."  # before the name of a question: an answer that a visitor's page holds


@pages.get("/lessons/<slug>/questions")
def show(slug: str) -> str:
    """Every question, with what one has answered."""
    user, lesson = asking(), _lesson(slug)
    given = answers.of(reading(), user.id, slug) if user is not None else {}
    return _page(lesson, given)


@pages.post("/lessons/<slug>/questions")
def answer(slug: str) -> str | Response | tuple[str, int]:
    """Judges the answer to one question. A learner's is kept; a visitor's stands in the page."""
    user, lesson = asking(), _lesson(slug)
    shown = _by_name(lesson).get(request.form.get("question", ""))
    if shown is None:
        abort(404, Message("The lesson has no such question."))
    given = answers.of(reading(), user.id, slug) if user is not None else _held(lesson)
    try:
        text, result = _judged(lesson, shown)
    except UsageError as error:
        return _page(lesson, given, {shown.name: translate(error)}), 422
    if user is None:
        return _page(lesson, {**given, shown.name: text})
    stop_reading()
    with service().database.write() as session:
        answers.store(session, user.id, lesson, shown.name, text, result.right)
    today = request.form.get(TODAY)  # None stands in no address
    page = url_for("questions.show", slug=slug, _anchor=shown.name, today=today and "yes")
    return redirect(page, 303)


def _judged(lesson: Lesson, shown: Asked) -> tuple[str, Result]:
    """The answer in the form, and what it comes to. Raises `UsageError`."""
    text = answer_of(shown, request.form)
    result = judge(shown, text, _values(lesson), language())
    if result is None:
        raise UsageError(
            Message("The answer to this question is being computed. Send yours again in a minute.")
        )
    return text, result


def _lesson(slug: str) -> Lesson:
    lesson = service().lessons.get(slug)
    if lesson is None:
        abort(404, Message("There is no lesson '%(slug)s'.", slug=slug[:80]))
    if not lesson.questions:
        abort(404, Message("This lesson has no questions."))
    return lesson


def _by_name(lesson: Lesson) -> dict[str, Asked]:
    user = asking()
    person = str(user.id) if user is not None else ""
    return {each.name: ask(lesson, each, person, language()) for each in lesson.questions}


def _held(lesson: Lesson) -> dict[str, str]:
    """The answers that a visitor's page sends along."""
    names = (question.name for question in lesson.questions)
    texts = {name: request.form.get(KEPT + name, "")[:LONGEST_ANSWER] for name in names}
    return {name: text for name, text in texts.items() if text}


def _values(lesson: Lesson) -> Values:
    try:
        row = results.find(reading(), lesson.slug, service().lessons.digest(lesson))
    except ProblemError:  # it uses a problem that is not there; its page says so
        return {}
    return (row.computed if row is not None else None) or {}


def _page(
    lesson: Lesson, given: Mapping[str, str], problems: Mapping[str, str] | None = None
) -> str:
    values = _values(lesson)
    rows = [
        Row(
            shown,
            given.get(name, ""),
            judge(shown, given.get(name, ""), values, language()),
            (problems or {}).get(name, ""),
        )
        for name, shown in _by_name(lesson).items()
    ]
    return render_template(
        "questions.html",
        lesson=lesson,
        rows=rows,
        right=sum(row.result is not None and row.result.right for row in rows),
        kept={} if asking() is not None else {KEPT + name: text for name, text in given.items()},
    )
