"""What learners answered to the questions of lessons: the last answer to each is kept."""

from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.lessons import Lesson
from server.models.database import clock
from server.models.lessons import QuestionAnswer
from server.services.reviews import completions, schedule
from server.services.reviews.schedule import Asked, Kind


def of(session: Session, user_id: int, lesson: str) -> Mapping[str, str]:
    """A learner's answers to a lesson, by question."""
    query = select(QuestionAnswer.question, QuestionAnswer.answer).where(
        QuestionAnswer.user_id == user_id, QuestionAnswer.lesson == lesson
    )
    return dict(session.execute(query).all())


def store(
    session: Session, user_id: int, lesson: Lesson, question: str, answer: str, correct: bool
) -> None:
    """Keeps an answer in the place of the one before it, and plans when it is asked again.

    When every question of the lesson is right now, that is recorded.
    """
    row = QuestionAnswer(
        user_id=user_id, lesson=lesson.slug, question=question, answer=answer, correct=correct
    )
    row.at = clock(session)
    session.merge(row)
    names = [each.name for each in lesson.questions]
    completions.note_questions(session, [user_id], lesson.slug, names)
    schedule.note(session, user_id, Asked(Kind.QUESTION, lesson.slug, question), correct)


def right(session: Session, user_id: int) -> Mapping[str, set[str]]:
    """The questions whose last answer of a learner was right, by lesson."""
    query = select(QuestionAnswer.lesson, QuestionAnswer.question).where(
        QuestionAnswer.user_id == user_id, QuestionAnswer.correct
    )
    questions: dict[str, set[str]] = defaultdict(set)
    for lesson, question in session.execute(query):
        questions[lesson].add(question)
    return questions
