"""The roster of a course: a list compared with what is there, stored; and who came in."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.messages import Message
from server.models.courses import Course, Member, RosterEntry
from server.models.database import insert_once
from server.services.courses.administration import new_code
from server.services.rosters.reading import Person


class Change(StrEnum):
    """What an import does with a line."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"


def groups(session: Session, course_id: int) -> Sequence[str]:
    """The names of the groups, in order."""
    own = (RosterEntry.course_id == course_id, RosterEntry.group != "")
    query = select(RosterEntry.group).where(*own).distinct()
    return session.scalars(query.order_by(RosterEntry.group)).all()


def of_group(course_id: int, group: str) -> Select[Any]:
    """The accounts of those in a group who came in."""
    own = (RosterEntry.course_id == course_id, RosterEntry.group == group)
    return select(RosterEntry.user_id).where(*own, RosterEntry.user_id.is_not(None))


def of_name(course_id: int, part: str) -> Select[Any]:
    """The accounts of those whose name in the roster has this part."""
    own = (RosterEntry.course_id == course_id, RosterEntry.name.icontains(part, autoescape=True))
    return select(RosterEntry.user_id).where(*own, RosterEntry.user_id.is_not(None))


def entries(session: Session, course_id: int, group: str = "") -> Sequence[RosterEntry]:
    """The roster by group and name; only one `group` if it is named."""
    query = select(RosterEntry).where(RosterEntry.course_id == course_id)
    query = query.where(RosterEntry.group == group) if group else query
    return session.scalars(query.order_by(RosterEntry.group, RosterEntry.name)).all()


def in_their_groups(
    session: Session, course_id: int, people: Sequence[Person]
) -> tuple[Person, ...]:
    """The people of a list that knows no groups, each in the group that the roster has."""
    matched = zip(people, _matched(session, course_id, people), strict=True)
    return tuple(replace(p, group=entry.group if entry else "") for p, (_, entry) in matched)


def compare(
    session: Session, course_id: int, people: Sequence[Person]
) -> list[tuple[Person, Change]]:
    """Returns what an import would do with each of them."""
    matched = _matched(session, course_id, people)
    return [(person, _change(person, entry)) for person, entry in matched]


def _matched(
    session: Session, course_id: int, people: Sequence[Person]
) -> Iterator[tuple[Person, RosterEntry | None]]:
    """Yields each with their entry: of their e-mail, else of their account, if the address of that
    entry is no longer in the list. An account that has an entry is not given another.
    """
    known = entries(session, course_id)
    listed, taken = {person.email for person in people}, {entry.user_id for entry in known}
    by_email = {entry.email: entry for entry in known}
    moved: dict[int | None, RosterEntry] = {
        entry.user_id: entry for entry in known if entry.user_id and entry.email not in listed
    }
    for person in people:
        entry = by_email.get(person.email) or moved.get(person.account)
        yield replace(person, account=None) if person.account in taken else person, entry


def _change(person: Person, entry: RosterEntry | None) -> Change:
    if entry is None:
        return Change.NEW
    same = (entry.name, entry.group, entry.email) == (person.name, person.group, person.email)
    comes_in = entry.user_id is None and person.account is not None
    return Change.SAME if same and not comes_in else Change.CHANGED


def store(session: Session, course: Course, people: Sequence[Person]) -> int:
    """Adds who is new, and renames who is there; returns how many lines changed something."""
    changed = 0
    for person, entry in _matched(session, course.id, people):
        changed += _change(person, entry) != Change.SAME
        if entry is None:
            entry = RosterEntry(course_id=course.id, code=new_code())
            session.add(entry)
        entry.name, entry.email, entry.group = person.name, person.email, person.group
        entry.user_id = entry.user_id or person.account
    return changed


def size(session: Session, course_id: int) -> int:
    """How many are expected."""
    query = select(func.count()).select_from(RosterEntry)
    return session.scalar(query.where(RosterEntry.course_id == course_id)) or 0


def by_user(session: Session, course_id: int) -> dict[int, RosterEntry]:
    """The entries of those who came in, by account."""
    return {e.user_id: e for e in entries(session, course_id) if e.user_id is not None}


def come_in(session: Session, code: str, user_id: int) -> Course | None:
    """Makes an account a learner by a course's code, or by a personal one, which also says who it
    is. None where no open course has the code.

    Raises `UsageError` for a personal code that somebody else has used, and for who came in by
    another one.
    """
    entry = session.scalar(select(RosterEntry).where(RosterEntry.code == code))
    of_code = Course.id == entry.course_id if entry is not None else Course.code == code
    course = session.scalar(select(Course).where(of_code, Course.archived.is_(False)))
    if course is None:
        return None
    if entry is not None:
        _check_theirs(session, entry, user_id)
    insert_once(session, Member, {"course_id": course.id, "user_id": user_id})
    if entry is not None:
        entry.user_id = user_id
    return course


def _check_theirs(session: Session, entry: RosterEntry, user_id: int) -> None:
    """Refuses a personal link to anybody but one person, and a second one to that person."""
    if entry.user_id not in (None, user_id):
        raise UsageError(
            Message("Somebody has joined with this link already. Ask your teacher for another.")
        )
    of_user = (RosterEntry.course_id == entry.course_id, RosterEntry.user_id == user_id)
    other = select(RosterEntry.id).where(*of_user, RosterEntry.id != entry.id).limit(1)
    if entry.user_id is None and session.scalar(other) is not None:
        raise UsageError(
            Message(
                "This link is for somebody else: the roster of this course has you already."
                " If that is wrong, ask your teacher."
            )
        )


def release(session: Session, course_id: int, user_id: int) -> None:
    """Forgets as whom an account came in, once it is taken out of the course: the link works
    again.
    """
    of_user = (RosterEntry.course_id == course_id, RosterEntry.user_id == user_id)
    session.execute(update(RosterEntry).where(*of_user).values(user_id=None))
