"""Makes courses, and changes their settings and their members; each change is audited."""

import secrets
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.lengths import checked
from server.messages import Message
from server.models.accounts import Role
from server.models.courses import Course, Member
from server.services import accounts, notices
from server.services.audit import note
from server.services.courses.timezones import zone_of

TITLE_LENGTH = 120
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # that nobody mistakes for one another


class Action(StrEnum):
    """A change of a course's settings."""

    CODE = "code"
    ARCHIVE = "archive"
    REOPEN = "reopen"
    ZONE = "zone"
    TEACHER = "teacher"
    TITLE = "title"


def new_code() -> str:
    """Returns a code to join with: 31 to the 8th, and joining is limited."""
    return "".join(secrets.choice(LETTERS) for _ in range(8))


def read_title(text: str) -> str:
    """Returns the title that a form has for a course. Raises `UsageError`."""
    title = checked(Message("Title"), " ".join(text.split()), TITLE_LENGTH)
    if not title:
        raise UsageError(Message("A course needs a title."))
    return title


def create(session: Session, title: str, zone: str, teacher_id: int) -> Course:
    """Makes a course; whoever makes it teaches it."""
    course = Course(title=title, code=new_code(), zone=zone)
    session.add(course)
    session.flush()
    session.add(Member(course_id=course.id, user_id=teacher_id, teaches=True))
    note(session, teacher_id, "course", title, number=course.id)
    return course


def change(session: Session, course: Course, action: str, value: str, by: notices.Actor) -> Message:
    """Carries out an action on a course, with the title, the time zone or the teacher's name that
    it needs; returns what changed, for the audit log. Moments stay when the zone changes.

    Raises `UsageError`.
    """
    match action:
        case Action.CODE:
            course.code = new_code()
            return Message("another code")
        case Action.ARCHIVE:
            _archive(session, course, by)
            return Message("archived")
        case Action.REOPEN:
            course.archived = False
            return Message("taken out of the archive")
        case Action.ZONE:
            course.zone = zone_of(value.strip()).key
            return Message("time zone %(zone)s", zone=value[:64])
        case Action.TEACHER:
            _add_teacher(session, course, value, by)
            return Message("another teacher, %(name)s", name=value)
        case Action.TITLE:
            was, course.title = course.title, read_title(value)
            return Message("renamed; it was %(title)s", title=was)
    raise UsageError(Message("There is no such action."))


def _archive(session: Session, course: Course, by: notices.Actor) -> None:
    if not course.archived:
        for member in course.members:
            notices.tell(session, member.user_id, "archived", by, course=course.title)
    course.archived = True


def _add_teacher(session: Session, course: Course, name: str, by: notices.Actor) -> None:
    user = accounts.find_user(session, name)
    if user is None or not accounts.at_least(user.role, Role.INSTRUCTOR):
        raise UsageError(Message("There is no instructor '%(name)s'.", name=name[:40]))
    session.merge(Member(course_id=course.id, user_id=user.id, teaches=True))
    notices.tell(session, user.id, "teacher", by, course=course.title)


def may_leave(session: Session, member: Member) -> bool:
    """Checks that somebody still teaches the course when this member is gone."""
    if not member.teaches:
        return True
    others = select(Member.user_id).where(
        Member.course_id == member.course_id, Member.teaches, Member.user_id != member.user_id
    )
    return session.scalars(others).first() is not None
