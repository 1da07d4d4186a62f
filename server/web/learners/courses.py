"""The pages of a class for its learners: join, what is due, what is done."""

from functools import partial

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from grader.errors import UsageError
from server.messages import Message, sentence
from server.models.base import now
from server.models.courses import Assignment, Member
from server.services import deadlines
from server.services.courses import roster, scores
from server.services.deadlines import hides
from server.web.access import limiter, me, sign_in_limit, signed_in
from server.web.context import reading, service, stop_reading
from server.web.pages.course_page import courses_page, in_zone
from server.web.panels.item import named
from server.web.texts import translate

pages = Blueprint("study", __name__, url_prefix="/courses")


@pages.get("")
@signed_in
def home() -> str:
    """The courses that one teaches or takes, and a field for a join code, which a link fills in."""
    return courses_page()


@pages.post("/join")
@signed_in
@limiter.limit(sign_in_limit)
def join() -> Response | tuple[str, int]:
    """Come into a course by its code."""
    code, user = request.form.get("code", "").strip().upper(), me().id
    stop_reading()
    try:
        with service().database.write() as session:
            course = roster.come_in(session, code, user)
    except UsageError as error:
        return courses_page(sentence(error)), 422
    if course is None:
        return courses_page(Message("No course has this code. Ask your teacher for it.")), 422
    flash(translate("You are in: %(title)s", title=course.title))
    return redirect(url_for("study.show", course_id=course.id), 303)


@pages.post("/assignments/<int:assignment_id>/start")
@signed_in
def start(assignment_id: int) -> Response:
    """Starts the time of an assignment that has a limit, once; then to its problem, or to the
    course.
    """
    user, slug = me().id, request.form.get("slug", "")
    stop_reading()
    try:
        with service().database.write() as session:
            assignment = _open(session, assignment_id, user)
            course_id, slugs = assignment.course_id, [p.slug for p in assignment.problems]
            deadlines.start(session, assignment, user)
    except IntegrityError:  # sent twice at once: it is started
        pass
    if slug in slugs:
        return redirect(url_for("learn.problem", slug=slug), 303)
    return redirect(url_for("study.show", course_id=course_id, _anchor=f"a{assignment_id}"), 303)


def _open(session: Session, assignment_id: int, user_id: int) -> Assignment:
    assignment = session.get(Assignment, assignment_id)
    member = (
        session.get(Member, (assignment.course_id, user_id)) if assignment is not None else None
    )
    if assignment is None or member is None or member.teaches or assignment.opens_at > now():
        abort(404, Message("You have no open assignment of that number."))
    return assignment


@pages.get("/<int:course_id>")
@signed_in
def show(course_id: int) -> str:
    """The assignments that have opened, with one's own standing; those to come by title only."""
    session = reading()
    member = session.get(Member, (course_id, me().id))
    if member is None:
        abort(404, Message("You are in no course of that number."))
    course, moment = member.course, now()
    opened = [
        (a, line, hides(a, line.own))
        for a in course.assignments
        if a.opens_at <= moment
        for line in scores.matrix(session, a, [me()])
    ]
    # what is due next comes first, then what was due last
    opened.sort(key=lambda each: (each[1].own.due_at < moment, abs(each[1].own.due_at - moment)))
    return render_template(
        "teach/study_course.html",
        course=course,
        now=moment,
        opened=opened,
        coming=[a for a in course.assignments if a.opens_at > moment],
        named=named(item for a in course.assignments if a.opens_at <= moment for item in a.items),
        problems={p.slug: p for p in service().bank.problems()},
        wall=partial(in_zone, zone=course.zone),
    )
