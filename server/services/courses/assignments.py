"""Makes assignments and changes their terms."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.lengths import checked
from server.messages import Message, counted
from server.models.courses import (
    Assignment,
    AssignmentItem,
    AssignmentProblem,
    Course,
    Extension,
    Feedback,
    Late,
    Override,
    Start,
)
from server.models.lti import LtiGrade, LtiLine
from server.services.audit import note
from server.services.courses import passback_queue, scores
from server.services.courses.timezones import to_utc, zone_of

MOST_PROBLEMS = 100
MOST_ATTEMPTS = 1000
MOST_MINUTES = 1440
DIGITS = 9  # of a number in a field, leading zeros included
MOST_POINTS = 10_000
REASON_LENGTH = 2000
TITLE_LENGTH = 120
POINTS = 10.0  # of a problem for which nobody chose


@dataclass(frozen=True, slots=True)
class Terms:
    """What an assignment says, checked."""

    title: str
    opens_at: datetime
    due_at: datetime
    late: str
    late_percent: int
    attempts: int | None
    feedback: str
    slugs: tuple[str, ...]
    own_inputs: bool = True
    minutes: int | None = None
    items: tuple[AssignmentItem, ...] = ()


COLUMNS = (  # of an assignment, as `Terms` has them
    "title opens_at due_at late late_percent attempts feedback own_inputs minutes"
).split()


def fingerprint(row: Assignment) -> str:
    """Changes with the terms: a form brings along that of the terms from which it was made."""
    parts = [str(getattr(row, name)) for name in COLUMNS]
    parts += [f"{p.slug} {p.points}" for p in row.problems]
    parts += [f"{item.key} {item.points}" for item in row.items]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def check_unchanged(row: Assignment, was: str | None) -> None:
    """Raises `UsageError` when a form was made from other terms than there are now: it would take
    back unseen what another teacher has changed.
    """
    if was is not None and was != fingerprint(row):
        raise UsageError(
            Message(
                "These terms were changed after you had opened this page. Above is what they say"
                " now, in the form is what you sent; send it again to replace them."
            )
        )


def read_terms(
    form: Mapping[str, str],
    slugs: list[str],
    course: Course,
    bank: set[str],
    items: Sequence[AssignmentItem] = (),
) -> Terms:
    """Returns the terms that a form has, with the problems `slugs` and the `items`.

    Raises `UsageError` that names what is wrong.
    """
    zone = zone_of(course.zone)
    title = checked(Message("Title"), " ".join(form.get("title", "").split()), TITLE_LENGTH)
    opens, due = to_utc(form.get("opens", ""), zone), to_utc(form.get("due", ""), zone, later=True)
    chosen = tuple(dict.fromkeys(slugs))
    if not title:
        raise UsageError(Message("An assignment needs a title."))
    if due <= opens:
        raise UsageError(Message("It must open before it is due."))
    if not (chosen or items) or len(chosen) > MOST_PROBLEMS or not set(chosen) <= bank:
        raise UsageError(
            Message(
                "Choose something to do: lessons, practice, or at most %(most)s problems of the"
                " bank.",
                most=MOST_PROBLEMS,
            )
        )
    if form.get("late") not in list(Late) or form.get("feedback") not in list(Feedback):
        raise UsageError(Message("Choose what late work counts, and how much feedback there is."))
    minutes = read_minutes(form.get("minutes", "").strip())
    if minutes and form["late"] == Late.NONE:
        raise UsageError(
            Message("With a time limit, late work loses percent a day or does not count.")
        )
    attempts = _read_attempts(form.get("attempts", "").strip())
    percent = _read_percent(form.get("late_percent", "").strip() or "0")
    own_inputs = "no_own_inputs" not in form
    return Terms(
        title,
        opens,
        due,
        form["late"],
        percent,
        attempts,
        form["feedback"],
        chosen,
        own_inputs,
        minutes,
        tuple(items),
    )


def read_minutes(text: str) -> int | None:
    """Returns the minutes of a field; None when it is empty. Raises `UsageError`."""
    if not text:
        return None
    minutes = read_number(text)
    if not 1 <= minutes <= MOST_MINUTES:
        raise UsageError(Message("Minutes are a number from 1 to 1440."))
    return minutes


def _read_attempts(text: str) -> int | None:
    if not text:
        return None
    attempts = read_number(text)
    if not 1 <= attempts <= MOST_ATTEMPTS:
        raise UsageError(
            Message(
                "Attempts are a number from 1 to 1000; leave it empty for as many as one likes."
            )
        )
    return attempts


def _read_percent(text: str) -> int:
    percent = read_number(text)
    if not 0 <= percent <= 100:
        raise UsageError(Message("Percent a day is a number from 0 to 100."))
    return percent


def read_number(text: str) -> int:
    """The number of a field; -1 for what is none, or has more digits than any may have."""
    return int(text) if text.isdecimal() and len(text) <= DIGITS else -1


def read_points(text: str, default: float) -> float:
    """Returns the points of a field. Raises `UsageError`."""
    try:
        value = float(text) if text.strip() else default
    except ValueError:
        raise UsageError(Message("Points are a number.")) from None
    if not 0 <= value <= MOST_POINTS:
        raise UsageError(Message("Points are a number from 0 to 10,000."))
    return value


def save(
    session: Session,
    course: Course,
    row: Assignment,
    terms: Terms,
    points: Mapping[str, str],
    by: int,
) -> None:
    """Writes the terms into an assignment, new or not; scores follow them at once.

    `points` has the field of each problem; an empty one leaves the points as they are. Raises
    `UsageError`.
    """
    for name in COLUMNS:
        setattr(row, name, getattr(terms, name))
    session.add(row)
    earlier = {problem.slug: problem.points for problem in row.problems}
    row.problems.clear()
    session.flush()
    for position, slug in enumerate(terms.slugs):
        worth = read_points(points.get(slug, ""), earlier.get(slug, POINTS))
        row.problems.append(AssignmentProblem(slug=slug, position=position, points=worth))
    row.items.clear()
    session.flush()
    row.items.extend(terms.items)
    session.flush()
    subject = Message("%(title)s in %(course)s", title=row.title, course=course.title)
    note(session, by, "assignment", subject, number=row.id)
    passback_queue.look_again(session, row.id)


def remove(session: Session, assignment: Assignment, by: int) -> None:
    """Deletes an assignment for which nobody in the course has done anything.

    Raises `UsageError`.
    """
    _check_unused(session, assignment)
    lines_of = select(LtiLine.id).where(LtiLine.assignment_id == assignment.id)
    session.execute(delete(LtiGrade).where(LtiGrade.line_id.in_(lines_of)))
    for table in (LtiLine, Override, Extension, Start):
        session.execute(delete(table).where(table.assignment_id == assignment.id))
    subject = Message(
        "deleted %(title)s in %(course)s", title=assignment.title, course=assignment.course.title
    )
    note(session, by, "assignment", subject, number=assignment.id)
    session.delete(assignment)


def _check_unused(session: Session, assignment: Assignment) -> None:
    learners = scores.learners(session, assignment.course_id)
    lines = scores.matrix(session, assignment, learners)
    begun = sum(any(c.state != "none" or c.override for c in line.cells) for line in lines)
    if begun:
        raise UsageError(
            counted(
                "It cannot be deleted: %(num)s learner has work or a score in it.",
                "It cannot be deleted: %(num)s learners have work or a score in it.",
                begun,
            )
        )
