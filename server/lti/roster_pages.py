"""Reading a course's list of people from its learning platform into the roster: a preview, then it
is stored.
"""

from dataclasses import astuple

from flask import Blueprint, abort, flash, redirect, request, url_for
from itsdangerous import BadData, URLSafeTimedSerializer
from werkzeug.wrappers import Response

from grader.errors import UsageError
from server.lti import memberships
from server.lti.registry import key_of
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.lti import LtiPlatform, lists_of
from server.services.audit import note
from server.services.courses import roster
from server.services.rosters.reading import Person, Reading
from server.web.access import me, role_required
from server.web.context import reading, service, stop_reading
from server.web.lookups import find_course
from server.web.pages.roster_page import Preview, roster_page
from server.web.texts import translate
from server.web.throttle import costly

KEPT_S = 3600

pages = Blueprint("memberships", __name__, url_prefix="/teach/courses/<int:course_id>/roster")


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(service().secret, salt="lti list")


@pages.post("/platform/<int:platform_id>")
@role_required(Role.INSTRUCTOR)
@costly
def ask(course_id: int, platform_id: int) -> str | tuple[str, int]:
    """Asks the platform for its list, and shows what it would change."""
    platform, url = _source(course_id, platform_id)
    stop_reading()  # the platform may take its time: nothing is held meanwhile
    try:
        members = memberships.fetch(platform, url, key_of(service().database))
        accounts = memberships.accounts_of(reading(), platform, course_id)
        listing = memberships.read(members, accounts)
    except UsageError as error:
        return roster_page(course_id, sentence(error)), 422
    people = roster.in_their_groups(reading(), course_id, listing.people)
    kept = [course_id, platform.name, [astuple(person) for person in people]]
    return roster_page(
        course_id,
        seen=Reading(people, listing.faults),
        preview=Preview(platform.name, _signer().dumps(kept), listing.notes),
    )


def _source(course_id: int, platform_id: int) -> tuple[LtiPlatform, str]:
    """The platform, and where it gives the list of the course."""
    find_course(reading(), course_id)
    for platform, url in lists_of(reading(), course_id):
        if platform.id == platform_id:
            return platform, url
    abort(404, Message("No platform of that number gives a list of this course."))


@pages.post("/platform")
@role_required(Role.INSTRUCTOR)
def store(course_id: int) -> Response:
    """Stores the list that a preview has shown."""
    user = me().id
    find_course(reading(), course_id)
    try:
        read_for, platform, rows = _signer().loads(request.form.get("list", ""), max_age=KEPT_S)
    except BadData:
        abort(422, Message("This list is too old. Read it again."))
    if read_for != course_id:
        abort(422, Message("This list was read for another course."))
    stop_reading()
    with service().database.write() as session:
        course = find_course(session, course_id)
        changed = roster.store(session, course, [Person(*row) for row in rows])
        subject = Message(
            "%(course)s: %(count)s in the roster, %(changed)s new or changed",
            course=course.title,
            count=roster.size(session, course_id),
            changed=changed,
        )
        reason = Message("from %(platform)s", platform=platform)
        note(session, user, "roster", subject, reason, number=course_id)
    flash(translate("Saved."))
    return redirect(url_for("roster.show", course_id=course_id), 303)
