"""Makes a course from a syllabus: an assignment for each week, from a day that its teacher chose.

What is made is a course like any other. Nothing leads back to the syllabus, so both can be changed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy.orm import Session

from grader.errors import UsageError
from grader.syllabi import Syllabus, Week
from server.lengths import checked
from server.messages import Message
from server.models.courses import Assignment, AssignmentItem, Course, Feedback, ItemKind, Late
from server.services.courses import administration, items
from server.services.courses.assignments import TITLE_LENGTH, Terms, save
from server.services.courses.timezones import to_utc, zone_of

OPENS, DUE = "06:00", "23:59"  # on the first and on the last day of a week
DAYS = 7


@dataclass(frozen=True, slots=True)
class Plan:
    """A course to be made, checked."""

    syllabus: Syllabus
    title: str
    zone: str
    start: date
    language: str


def read_plan(syllabus: Syllabus, title: str, zone: str, start: str, language: str) -> Plan:
    """Returns the plan that a form has; without a title, the course has that of the syllabus.

    Raises `UsageError`.
    """
    try:
        day = date.fromisoformat(start.strip())
        day + timedelta(days=DAYS * len(syllabus.weeks))
    except (ValueError, OverflowError):
        raise UsageError(
            Message("'%(text)s' is not a valid date; write it as 2026-03-27", text=start[:40])
        ) from None
    chosen = checked(Message("Title"), " ".join(title.split()), TITLE_LENGTH)
    chosen = chosen or syllabus.titles(language)[0]
    return Plan(syllabus, chosen, zone_of(zone.strip()).key, day, language)


def make(session: Session, plan: Plan, has_questions: frozenset[str], teacher_id: int) -> Course:
    """Makes the course and its assignments; whoever makes it teaches it.

    `has_questions` are the lessons that have some. Raises `UsageError` for a time that the clock
    of the zone skips.
    """
    course = administration.create(session, plan.title, plan.zone, teacher_id)
    for number, week in enumerate(plan.syllabus.weeks):
        terms = _terms(plan, number, week, has_questions)
        save(session, course, Assignment(course_id=course.id), terms, {}, teacher_id)
    return course


def _terms(plan: Plan, number: int, week: Week, has_questions: frozenset[str]) -> Terms:
    zone = zone_of(plan.zone)
    first = plan.start + timedelta(days=DAYS * number)
    last = first + timedelta(days=DAYS - 1)
    return Terms(
        title=week.name(plan.language)[:TITLE_LENGTH],
        opens_at=to_utc(f"{first}T{OPENS}", zone),
        due_at=to_utc(f"{last}T{DUE}", zone, later=True),
        late=Late.NONE,
        late_percent=0,
        attempts=None,
        feedback=Feedback.FULL,
        slugs=week.problems,
        items=tuple(items.placed(list(_items(week, has_questions)), {})),
    )


def _items(week: Week, has_questions: frozenset[str]) -> Iterator[AssignmentItem]:
    for slug in week.lessons:
        yield items.make(ItemKind.LESSON, slug)
        if slug in has_questions:
            yield items.make(ItemKind.QUESTIONS, slug)
    for slug, step in week.practice:
        yield items.make(ItemKind.PRACTICE, slug, step)
