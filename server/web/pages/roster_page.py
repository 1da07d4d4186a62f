"""The page of a course's roster, with what a list would change in it."""

from dataclasses import dataclass

from flask import render_template

from server.messages import Message
from server.models.lti import lists_of
from server.services.courses import roster
from server.services.rosters.reading import Reading
from server.web.context import reading
from server.web.lookups import find_course
from server.web.pages.course_page import chosen_group


@dataclass(frozen=True, slots=True)
class Preview:
    """A list that a platform gave: signed, to be sent back, and who is not in it."""

    platform: str
    signed: str
    notes: tuple[Message, ...]


def roster_page(
    course_id: int,
    message: str = "",
    text: str = "",
    seen: Reading | None = None,
    preview: Preview | None = None,
) -> str:
    """Returns the page; `seen` is a list that was read, of the `text` or of a platform."""
    session = reading()
    course, group = find_course(session, course_id), chosen_group()
    return render_template(
        "teach/roster.html",
        course=course,
        entries=roster.entries(session, course_id, group),
        group=group,
        groups=roster.groups(session, course_id),
        platforms=[platform for platform, _ in lists_of(session, course_id)],
        message=message,
        text=text,
        faults=seen.faults if seen else (),
        ignored=seen.ignored if seen else (),
        changes=roster.compare(session, course_id, seen.people) if seen else None,
        preview=preview,
    )
