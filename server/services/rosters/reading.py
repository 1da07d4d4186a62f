"""Reads a list of people from CSV, line by line, with what is wrong in it."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grader.errors import UsageError
from server.messages import Message
from server.services.rosters.columns import Columns, headed, unheaded

MOST_ROWS = 2000
MOST_CHARACTERS = 200_000
SEPARATOR = re.compile(r"sep=([,;\t])\s*\n", re.IGNORECASE)  # a first line that Excel reads
# separators and brackets too would be somebody's address with what stands around it
EMAIL = re.compile(r"[^@\s,;:<>()\"]{1,64}@[^@\s,;:<>()\"]{1,189}")


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
    ignored: tuple[str, ...] = ()  # headings of columns that say nothing here


def read(text: str) -> Reading:
    """Reads CSV with a comma, a semicolon or a tab: name, e-mail, and a group if there is one.

    A first line may name the columns in another order, as we or a platform name them. Raises
    `UsageError` for what is no list.
    """
    if len(text) > MOST_CHARACTERS:
        raise UsageError(
            Message("The list has more than %(most)s characters.", most=MOST_CHARACTERS)
        )
    lines = [(number, row) for number, row in _rows(text) if any(row)]
    if not lines:
        raise UsageError(Message("The list is empty."))
    if len(lines) > MOST_ROWS:
        raise UsageError(Message("The list has more than %(most)s lines.", most=MOST_ROWS))
    named = headed(lines[0][1])
    columns = named or unheaded([row for _, row in lines])
    if lines[bool(named) :] == []:
        raise UsageError(Message("The list has a line of headings, and nobody below it."))
    people = (_person(line, row, columns) for line, row in lines[bool(named) :])
    return _checked((p for p in people if not _is_heading(p)), columns.ignored)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows, each with the number of the line in which it begins: a cell in quotes may
    go on in the next one. Raises `UsageError`.
    """
    said = SEPARATOR.match(text)
    sign = said[1] if said else _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    begins = 1
    try:
        for row in reader:
            if not (said and begins == 1):
                yield begins, [_tidy(cell) for cell in row]
            begins = reader.line_num + 1
    except csv.Error:
        raise UsageError(
            Message(
                "Line %(line)s: a quotation mark opens a cell, but does not close it where the"
                " cell ends. Close it, or remove it.",
                line=str(begins),
            )
        ) from None


def _delimiter(text: str) -> str:
    """The sign that is most frequent in the first line, then in all of them. Of as many of each the
    comma is the last: a name may have one ("Lovelace, Ada;ada@x.org").
    """
    first = text.lstrip().partition("\n")[0]
    return max("\t;,", key=lambda sign: (first.count(sign), text.count(sign)))


def _tidy(cell: str) -> str:
    return " ".join(cell.split())


def _person(line: int, row: Sequence[str], columns: Columns) -> Person:
    return Person(line, columns.name(row), columns.email(row), columns.cell(row, "group"))


def _is_heading(person: Person) -> bool:
    """Whether a line is the second one of Canvas's headings."""
    return person.name == "Points Possible" and not person.email


def _checked(people: Iterable[Person], ignored: tuple[str, ...]) -> Reading:
    kept: dict[str, Person] = {}
    faults: list[Message] = []
    for person in people:
        fault = _fault(person, kept.get(person.email))
        if fault is None:
            kept[person.email] = person
        else:
            faults.append(fault)
    return Reading(tuple(kept.values()), tuple(faults), ignored)


def _fault(person: Person, earlier: Person | None) -> Message | None:
    line, email = str(person.line), person.email[:80]
    if not person.name or len(person.name) > 120 or len(person.group) > 60:
        return Message(
            "Line %(line)s: a name has 1 to 120 characters, a group at most 60.", line=line
        )
    if not person.email:
        return Message("Line %(line)s: there is no e-mail address.", line=line)
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
