"""Today: where one was, at most two things to answer again, and what one has shown by topic."""

from dataclasses import dataclass

from flask import Blueprint, render_template, url_for

from grader.lessons import Lesson
from grader.model import Framework
from grader.practice import Step
from grader.problem import Problem
from server.services import statistics
from server.services.lessons import answers
from server.services.lessons.questions import ask
from server.services.practice import sets
from server.services.practice.sending import closed_by
from server.services.reviews import resume, schedule, topics
from server.services.reviews.schedule import Asked, Kind
from server.web import lookups
from server.web.access import me, signed_in
from server.web.context import reading, service
from server.web.panels.practice import TITLES
from server.web.panels.question import Row
from server.web.texts import language

pages = Blueprint("today", __name__)
REVIEWS = 2


@dataclass(frozen=True, slots=True)
class QuestionReview:
    """A question of a lesson, without the answer that was given."""

    lesson: Lesson
    row: Row


@dataclass(frozen=True, slots=True)
class PracticeReview:
    """A practice item, which has a page of its own."""

    problem: Problem
    framework: Framework
    title: str
    number: int
    address: str


@pages.get("/today")
@signed_in
def show() -> str:
    """The page; what is due and no longer there, or closed, is passed over."""
    session, user, running = reading(), me().id, service()
    problems, lessons = lookups.problems(), running.lessons.all()
    mine, right = statistics.standings(session, user), answers.right(session, user)
    solved = {slug for slug, standing in mine.items() if standing.solved}
    tracks = topics.topics(problems, lessons, solved, topics.predicted(session, user), right)
    return render_template(
        "today.html",
        place=resume.problem(session, user, problems, mine),
        lesson=resume.lesson(session, user, lessons, right),
        reviews=_reviews(),
        topics=tracks,
    )


def _reviews() -> list[QuestionReview | PracticeReview]:
    shown = (_shown(card) for card in schedule.due(reading(), me().id))
    there = (review for review in shown if review is not None)
    return [review for _, review in zip(range(REVIEWS), there, strict=False)]


def _shown(card: Asked) -> QuestionReview | PracticeReview | None:
    match card.kind:
        case Kind.QUESTION:
            return _question(card)
        case Kind.PRACTICE:
            return _practice(card)


def _question(card: Asked) -> QuestionReview | None:
    lesson = service().lessons.get(card.subject)
    questions = lesson.questions if lesson is not None else ()
    question = next((each for each in questions if each.name == card.item), None)
    if lesson is None or question is None:
        return None
    return QuestionReview(
        lesson, Row(ask(lesson, question, str(me().id), language()), "", None, "")
    )


def _practice(card: Asked) -> PracticeReview | None:
    problem = lookups.seen_problem(card.subject)
    framework, _, name = card.item.partition(" ")
    if problem is None or framework not in problem.frameworks:
        return None
    chosen = Framework(framework)
    step, _, number = name.rpartition("-")
    row = (
        None
        if closed_by(reading(), me().id, problem.slug, Step(step))
        else sets.find(reading(), problem, chosen)
    )
    if row is None or name not in (item["id"] for item in row.items or ()):
        return None
    address = url_for(
        "practice.show",
        slug=problem.slug,
        step=step,
        number=int(number),
        framework=framework,
        again="yes",
    )
    return PracticeReview(problem, chosen, TITLES[Step(step)], int(number), address)
