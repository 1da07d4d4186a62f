"""The pages of a class for its teachers: courses, their settings, and who is in them."""

from collections.abc import Mapping

from flask import Blueprint, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from grader.errors import UsageError
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.courses import Member
from server.services import notices
from server.services.audit import note
from server.services.courses import administration, roster
from server.services.courses.timezones import zone_of
from server.services.practice import sets
from server.services.syllabi import making
from server.web.access import me, role_required
from server.web.context import service, stop_reading, wake_chores
from server.web.lookups import find_course
from server.web.pages.course_page import course_page, courses_page
from server.web.panels.syllabus import find_syllabus
from server.web.texts import language, translate

pages = Blueprint("courses", __name__, url_prefix="/teach")

# the field of the form that an action of the settings needs
FIELDS: Mapping[str, str] = {
    administration.Action.TEACHER: "name",
    administration.Action.ZONE: "zone",
    administration.Action.TITLE: "title",
}


@pages.get("/courses")
@role_required(Role.INSTRUCTOR)
def home() -> str:
    """The page of all courses, as `study.home` shows it."""
    return courses_page()


@pages.post("/courses")
@role_required(Role.INSTRUCTOR)
def create() -> Answer | tuple[str, int]:
    """A new course; whoever makes it teaches it."""
    user = me().id
    try:
        title = administration.read_title(request.form.get("title", ""))
        zone = zone_of(request.form.get("zone", "").strip())
    except UsageError as error:
        return courses_page(sentence(error)), 422
    stop_reading()
    with service().database.write() as session:
        course = administration.create(session, title, zone.key, user)
    return redirect(url_for("courses.show", course_id=course.id), 303)


@pages.post("/courses/syllabus")
@role_required(Role.INSTRUCTOR)
def create_from() -> Answer | tuple[str, int]:
    """A new course from a syllabus of the bank, with an assignment for each week."""
    form, user = request.form, me().id
    try:
        syllabus = find_syllabus(form.get("syllabus", ""))
        title, zone, start = (form.get(name, "") for name in ("title", "zone", "start"))
        plan = making.read_plan(syllabus, title, zone, start, language())
        has_questions = frozenset(e.slug for e in service().lessons.all() if e.questions)
        stop_reading()
        with service().database.write() as session:
            course = making.make(session, plan, has_questions, user)
            number = course.id
    except UsageError as error:
        return courses_page(sentence(error)), 422
    practised = {slug for week in syllabus.weeks for slug, _ in week.practice}
    sets.want_all(service().database, [p for p in service().bank.problems() if p.slug in practised])
    wake_chores()
    flash(translate("The course is made. Look at its dates before you give its code to learners."))
    return redirect(url_for("courses.show", course_id=number), 303)


@pages.get("/courses/<int:course_id>")
@role_required(Role.INSTRUCTOR)
def show(course_id: int) -> str:
    """Assignments, the join code, who is in it."""
    return course_page(course_id)


@pages.post("/courses/<int:course_id>/settings")
@role_required(Role.INSTRUCTOR)
def settings(course_id: int) -> Answer | tuple[str, int]:
    """Another join code, archive or take out of the archive, another time zone (moments stay),
    another teacher, or another title.
    """
    action, user, by = request.form.get("action", ""), me().id, notices.actor(me())
    value = request.form.get(FIELDS.get(action, ""), "")
    stop_reading()
    try:
        with service().database.write() as session:
            course = find_course(session, course_id)
            changed = administration.change(session, course, action, value, by)
            event = Message("%(course)s: %(change)s", course=course.title, change=changed)
            note(session, user, "course", event, number=course.id)
    except UsageError as error:
        return course_page(course_id, sentence(error)), 422
    flash(translate("Saved."))
    return redirect(url_for("courses.show", course_id=course_id), 303)


@pages.post("/courses/<int:course_id>/members/<int:user_id>/remove")
@role_required(Role.INSTRUCTOR)
def remove(course_id: int, user_id: int) -> Answer:
    """Take somebody out of the course; their submissions stay theirs. The last teacher stays."""
    by, actor = me().id, notices.actor(me())
    stop_reading()
    with service().database.write() as session:
        course = find_course(session, course_id)
        member = session.get(Member, (course_id, user_id))
        if member is None or not administration.may_leave(session, member):
            abort(
                422 if member else 404,
                Message("There is nobody of that number in the course, or it is its last teacher."),
            )
        session.delete(member)
        roster.release(session, course_id, user_id)
        notices.tell(session, user_id, "removed", actor, course=course.title)
        event = Message("%(course)s: removed %(name)s", course=course.title, name=member.user.name)
        note(session, by, "course", event, number=course_id)
    flash(translate("Removed."))
    return redirect(url_for("courses.show", course_id=course_id), 303)
