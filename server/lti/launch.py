"""LTI 1.3: the addresses that a learning platform calls (login, launch, keys), and an instructor's
choice of what a link opens.
"""

import secrets
from datetime import timedelta
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from itsdangerous import BadData, URLSafeTimedSerializer
from pylti1p3.deep_link import DeepLink
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.lineitem import LineItem
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from grader.errors import UsageError
from server.lti import handshake, provisioning
from server.lti.addresses import address
from server.lti.claims import Claims
from server.lti.registry import public_keys, signing
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.base import now
from server.models.courses import Assignment, AssignmentProblem, Course
from server.models.lti import LtiPerson, LtiPlatform
from server.services import accounts
from server.services.audit import note
from server.services.courses import passback_queue
from server.web.access import enter, from_elsewhere, limiter, me, role_required
from server.web.context import reading, service, stop_reading
from server.web.headers import sending_to
from server.web.lookups import find_assignment, find_course, problems_for
from server.web.texts import translate

pages = Blueprint("lti", __name__)

PICK_S = 3600
# of an assignment that is made from one problem; its terms can be changed
DUE_AFTER = timedelta(days=365)
LAUNCHES = "1200/minute"  # of one address: a whole school behind one


@pages.route("/lti/login", methods=["GET", "POST"])
@from_elsewhere
@limiter.limit(LAUNCHES)
def login() -> Answer:
    """The first step: a platform has sent a browser; send it back with a state and a nonce."""
    try:
        return handshake.begin(address("lti.launch"))
    except UsageError as error:
        abort(
            403,
            Message("This learning platform cannot be let in: %(reason)s.", reason=sentence(error)),
        )


@pages.post("/lti/launch")
@from_elsewhere
@limiter.limit(LAUNCHES)
def launch() -> Answer:
    """The second step: a signed token that says who comes, from which course, to what."""
    try:
        claims = handshake.accept()
        known = reading().get(LtiPerson, (claims.issuer, claims.subject)) is not None
        stop_reading()
        password_hash = "" if known else accounts.hash_password(secrets.token_urlsafe(24), "")
        arrival = _arrive(claims, password_hash)
    except UsageError as error:
        abort(
            403,
            Message(
                "The launch cannot be accepted: %(reason)s. Close this page and open it again from"
                " your course.",
                reason=sentence(error),
            ),
        )
    enter(arrival.user)
    if claims.picking is not None:
        if not arrival.teaches:
            abort(403, Message("Only the teachers of a course choose what its links open."))
        return _choose(arrival, claims)
    answer = make_response(
        render_template("teach/lti_go.html", target=_target(arrival), user=arrival.user)
    )
    handshake.forget(answer)
    return answer


def _arrive(claims: Claims, password_hash: str) -> provisioning.Arrival:
    """Two first launches of one person at once: PostgreSQL lets the second find what the first has
    made.
    """
    for last in (False, True):
        try:
            with service().database.write() as session:
                return provisioning.arrive(session, claims, password_hash)
        except IntegrityError:
            if last:
                raise
    raise AssertionError


def _target(arrival: provisioning.Arrival) -> str:
    """Where a launch leads: to the assignment, the course or the bank."""
    course, assignment = arrival.course, arrival.assignment
    if course is None:
        return url_for("learn.bank")
    if arrival.teaches and accounts.at_least(arrival.user.role, Role.INSTRUCTOR):
        return (
            url_for("assignments.show", assignment_id=assignment.id)
            if assignment
            else url_for("courses.show", course_id=course.id)
        )
    if assignment is not None and assignment.opens_at <= now() and len(arrival.slugs) == 1:
        return url_for("learn.problem", slug=arrival.slugs[0])
    return url_for(
        "study.show", course_id=course.id, _anchor=f"a{assignment.id}" if assignment else None
    )


@pages.get("/lti/keys")
def keys() -> Response:
    """Our public keys (JWKS), with which a platform checks what we sign.

    None before a platform is registered.
    """
    return jsonify({"keys": public_keys(reading())})


# deep linking


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(service().secret, salt="lti pick")


def _choose(arrival: provisioning.Arrival, claims: Claims) -> Answer:
    """The page where an instructor chooses; what the platform must get back travels with its form,
    signed.
    """
    if arrival.course is None or claims.picking is None:
        abort(403, Message("The platform did not say for which course."))
    kept = [
        arrival.user.id,
        arrival.platform.id,
        claims.deployment,
        arrival.course.id,
        claims.picking,
    ]
    answer = make_response(
        render_template(
            "teach/lti_pick.html",
            course=arrival.course,
            platform=arrival.platform,
            assignments=_assignments(arrival.course.id),
            bank=problems_for(reading(), arrival.course.id),
            pick=_signer().dumps(kept),
        )
    )
    handshake.forget(answer)
    return answer


def _assignments(course_id: int) -> list[Assignment]:
    return list(reading().get_one(Course, course_id).assignments)


@pages.post("/lti/pick")
@role_required(Role.INSTRUCTOR)
def pick() -> Answer:
    """What was chosen, signed for the platform: a form that its reader sends there."""
    try:
        user, platform_id, deployment, course_id, settings = _signer().loads(
            request.form.get("pick", ""), max_age=PICK_S
        )
    except BadData:
        abort(422, Message("This choice is too old. Begin again in your course."))
    if user != me().id:
        abort(403, Message("Somebody else began this choice."))
    kind, _, name = request.form.get("what", "").partition(":")
    stop_reading()
    with service().database.write() as session:
        find_course(session, course_id)
        assignment = (
            _of_problem(session, course_id, name, user)
            if kind == "problem"
            else session.get(Assignment, _number(name))
        )
        if assignment is None or assignment.course_id != course_id:
            abort(422, Message("Choose an assignment of the course, or a problem of the bank."))
        number, title, points = (
            assignment.id,
            assignment.title,
            assignment.whole,
        )
        platform = session.get_one(LtiPlatform, platform_id)
    link = DeepLink(signing(platform), deployment, settings)
    message = link.get_message_jwt([_item(number, title, points)])
    # the library answers a request without `data` with a null, which is no text
    token = link.encode_jwt({name: value for name, value in message.items() if value is not None})
    where = str(settings["deep_link_return_url"])
    answer = make_response(
        render_template(
            "teach/lti_return.html", where=where, token=token, title=title, platform=platform
        )
    )
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(where))
    answer.headers["Content-Security-Policy"] = sending_to(origin)
    return answer


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _of_problem(session: Session, course_id: int, slug: str, by: int) -> Assignment | None:
    """An assignment of one problem, open from now on."""
    given = {problem.slug: problem for problem in problems_for(session, course_id)}
    problem = given.get(slug)
    if problem is None:
        return None
    assignment = Assignment(
        course_id=course_id, title=problem.title[:120], opens_at=now(), due_at=now() + DUE_AFTER
    )
    assignment.problems.append(AssignmentProblem(slug=slug, position=0, points=10.0))
    session.add(assignment)
    session.flush()
    note(
        session,
        by,
        "assignment",
        Message("%(title)s in %(course)s", title=assignment.title, course=assignment.course.title),
        Message("chosen in the learning platform"),
        number=assignment.id,
    )
    return assignment


class _InNewTab(DeepLinkResource):  # type: ignore[misc]
    """A link that opens a tab of its own: these pages are shown in no frame."""

    def to_dict(self) -> dict[str, object]:
        """See the library."""
        return {**super().to_dict(), "window": {"targetName": "_blank"}}


def _item(number: int, title: str, points: float) -> DeepLinkResource:
    line = (
        LineItem()
        .set_score_maximum(points)
        .set_label(title)
        .set_resource_id(f"assignment-{number}")
    )
    item = _InNewTab().set_url(address("lti.launch")).set_title(title).set_lineitem(line)
    return item.set_custom_params({"assignment": str(number)})


# the way back


@pages.post("/teach/assignments/<int:assignment_id>/grades/again")
@role_required(Role.INSTRUCTOR)
def again(assignment_id: int) -> Answer:
    """Send the scores that a platform did not take, without waiting for the next try."""
    stop_reading()
    with service().database.write() as session:
        assignment = find_assignment(session, assignment_id)
        passback_queue.send_now(session, assignment.id)
        note(
            session,
            me().id,
            "grades",
            Message(
                "%(title)s in %(course)s: sent again",
                title=assignment.title,
                course=assignment.course.title,
            ),
            number=assignment.id,
        )
    flash(translate("They are sent again now."))
    return redirect(url_for("assignments.show", assignment_id=assignment_id), 303)
