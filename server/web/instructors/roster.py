"""The page of a course's roster: who is expected, importing a list, and the links to join."""

import codecs

from flask import Blueprint, abort, flash, g, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from grader.errors import UsageError
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.courses import RosterEntry
from server.services.audit import note
from server.services.courses import roster
from server.services.rosters.reading import MOST_CHARACTERS, Reading, read
from server.web.access import me, role_required, shows_no_text
from server.web.context import reading, service, stop_reading
from server.web.lookups import find_course
from server.web.pages.roster_page import roster_page
from server.web.texts import translate

pages = Blueprint("roster", __name__, url_prefix="/teach")

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # Excel's "Unicode text", Blackboard's lists
NO_TEXT = Message("The list is not UTF-8 text. Save the file as 'CSV UTF-8' and choose it again.")


@pages.get("/courses/<int:course_id>/roster")
@role_required(Role.INSTRUCTOR)
def show(course_id: int) -> str:
    """Who is expected, who has come in, and a form for a list."""
    return roster_page(course_id)


@pages.post("/courses/<int:course_id>/roster")
@shows_no_text
@role_required(Role.INSTRUCTOR)
def send(course_id: int) -> Answer | str | tuple[str, int]:
    """Shows what a list would change (`action=preview`), or stores it (`action=import`)."""
    find_course(reading(), course_id)
    text = request.form.get("list", "")
    try:
        file = _sent_file()
        text = text if file is None else file
        seen = read(text)
    except UsageError as error:
        return roster_page(course_id, sentence(error), text[:MOST_CHARACTERS]), 422
    if request.form.get("action") != "import" or seen.faults:
        return roster_page(course_id, text=text, seen=seen), 422 if seen.faults else 200
    return _store(course_id, seen)


def _sent_file() -> str | None:
    """Returns the text of the file that was chosen; None when none was. Raises `UsageError`."""
    file = request.files.get("file")
    sent: bytes | None = file.read() if file and file.filename else None
    try:
        if sent is not None and sent.startswith(UTF_16):
            return sent.decode("utf-16")
        if sent is not None:
            return sent.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(NO_TEXT) from None
    if g.get("no_text"):
        raise UsageError(NO_TEXT)
    return None


def _store(course_id: int, seen: Reading) -> Answer:
    user = me().id
    stop_reading()
    with service().database.write() as session:
        course = find_course(session, course_id)
        changed = roster.store(session, course, seen.people)
        event = Message(
            "%(course)s: %(count)s in the roster, %(changed)s new or changed",
            course=course.title,
            count=roster.size(session, course_id),
            changed=changed,
        )
        note(session, user, "roster", event, number=course_id)
    flash(translate("Saved."))
    return redirect(url_for("roster.show", course_id=course_id), 303)


@pages.post("/courses/<int:course_id>/roster/<int:entry_id>/remove")
@role_required(Role.INSTRUCTOR)
def remove(course_id: int, entry_id: int) -> Answer:
    """Takes somebody off the roster; an account that came in stays in the course."""
    user = me().id
    stop_reading()
    with service().database.write() as session:
        course = find_course(session, course_id)
        entry = session.get(RosterEntry, entry_id)
        if entry is None or entry.course_id != course_id:
            abort(404, Message("There is nobody of that number on the roster."))
        event = Message("%(course)s: removed %(name)s", course=course.title, name=entry.name)
        session.delete(entry)
        note(session, user, "roster", event, number=course_id)
    flash(translate("Removed."))
    return redirect(url_for("roster.show", course_id=course_id), 303)
