"""The roster of a course: read from CSV, compared with what is there, stored; and who came in."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.messages import Message
from server.models.courses import Course, Member, RosterEntry
from server.models.database import insert_once
from server.services.courses.administration import new_code

MOST_ROWS = 2000
MOST_CHARACTERS = 200_000
# separators and brackets too would be somebody's address with what stands around it
EMAIL = re.compile(r"[^@\s,;:<>()\"]{1,64}@[^@\s,;:<>()\"]{1,189}")
COLUMNS: Mapping[str, frozenset[str]] = {
    "name": frozenset({"name", "full name", "learner", "student", "姓名"}),
    "email": frozenset({"e-mail", "email", "mail", "e-mail address", "email address", "邮箱"}),
    "group": frozenset(
        {"group", "groups", "section", "sections", "class", "classes", "组", "班级"}
    ),
}


class Change(StrEnum):
    """What an import does with a line."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Person:
    """A line of the file, or somebody whom a platform names, who may have an account already."""

    line: int
    name: str
    email: str
    group: str = ""
    account: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as it was read: the people in it, and what is wrong, line by line."""

    people: tuple[Person, ...]
    faults: tuple[Message, ...]


def read(text: str) -> Reading:
    """Reads CSV with a comma, a semicolon or a tab: name, e-mail, and a group if there is one.

    A first line may name the columns in another order. Raises `UsageError` for what is no list.
    """
    if len(text) > MOST_CHARACTERS:
        raise UsageError(
            Message("The list has more than %(most)s characters.", most=MOST_CHARACTERS)
        )
    try:
        lines = [(number, row) for number, row in _rows(text) if any(row)]
    except csv.Error as error:
        raise UsageError(Message("This is not CSV: %(error)s", error=str(error))) from None
    if not lines:
        raise UsageError(Message("The list is empty."))
    if len(lines) > MOST_ROWS:
        raise UsageError(Message("The list has more than %(most)s lines.", most=MOST_ROWS))
    places = _places(lines[0][1])
    return _checked(_person(line, row, places or _ORDER) for line, row in lines[bool(places) :])


_ORDER = {"name": 0, "email": 1, "group": 2}


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows, each with the number of the line in which it begins: a cell in quotes may
    go on in the next one.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    begins = 1
    for row in reader:
        yield begins, [_tidy(cell) for cell in row]
        begins = reader.line_num + 1


def _delimiter(text: str) -> str:
    """The sign that is most frequent in the first line, then in all of them. Of as many of each the
    comma is the last: a name may have one ("Lovelace, Ada;ada@x.org").
    """
    first = text.lstrip().partition("\n")[0]
    return max("\t;,", key=lambda sign: (first.count(sign), text.count(sign)))


def _tidy(cell: str) -> str:
    return " ".join(cell.split())


def _places(head: Sequence[str]) -> dict[str, int]:
    """Where each column is, if the first line names them."""
    places = {
        column: place
        for place, cell in enumerate(head)
        for column, names in COLUMNS.items()
        if cell.casefold() in names
    }
    return places if {"name", "email"} <= set(places) else {}


def _person(line: int, row: Sequence[str], places: Mapping[str, int]) -> Person:
    cells = {name: row[at] if at < len(row) else "" for name, at in places.items()}
    return Person(line, cells["name"], cells["email"].casefold(), cells.get("group", ""))


def _checked(people: Iterable[Person]) -> Reading:
    kept: dict[str, Person] = {}
    faults: list[Message] = []
    for person in people:
        fault = _fault(person, kept.get(person.email))
        if fault is None:
            kept[person.email] = person
        else:
            faults.append(fault)
    return Reading(tuple(kept.values()), tuple(faults))


def _fault(person: Person, earlier: Person | None) -> Message | None:
    line, email = str(person.line), person.email[:80]
    if not person.name or len(person.name) > 120 or len(person.group) > 60:
        return Message(
            "Line %(line)s: a name has 1 to 120 characters, a group at most 60.", line=line
        )
    if not EMAIL.fullmatch(person.email):
        return Message(
            "Line %(line)s: '%(email)s' is not a valid e-mail address.", line=line, email=email
        )
    if earlier is not None:
        return Message(
            "Line %(line)s: %(email)s is in line %(earlier)s already.",
            line=line,
            email=email,
            earlier=str(earlier.line),
        )
    return None


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
