"""What pages show of a course: its assignments and people, and times on its own clock."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from flask import render_template, request
from sqlalchemy import select

from server.messages import Message
from server.models import lti
from server.models.accounts import Role, User
from server.models.base import now
from server.models.courses import Assignment, Course, Member
from server.services import accounts
from server.services.courses import comments, roster, scores, steps
from server.services.courses.timezones import on_the_wall, zone_of
from server.web.access import me
from server.web.context import reading, service
from server.web.lookups import find_course, problems_for
from server.web.panels.item import lesson_rows, practice_rows
from server.web.panels.practice import SHORT
from server.web.panels.syllabus import syllabus_rows, unreadable
from server.web.titles import problem_title

STEP_NAMES: Mapping[str, Message] = {
    steps.NOT_BEGUN: Message("not begun"),
    **{str(step): name for step, name in SHORT.items()},
    steps.PROGRAM: Message("program"),
    steps.ACCEPTED: Message("accepted"),
}


def courses_page(message: str = "") -> str:
    """Returns the page of the courses that one teaches (an admin: all) and of those one takes."""
    admin = accounts.at_least(me().role, Role.ADMIN)
    every = select(Course).order_by(Course.archived, Course.id.desc())
    own = every.join(Member, Member.course_id == Course.id).where(Member.user_id == me().id)
    taken = own.where(Member.teaches.is_(False), Course.archived.is_(False))
    taught = every if admin else own.where(Member.teaches)
    teaches = accounts.at_least(me().role, Role.INSTRUCTOR)
    return render_template(
        "teach/courses.html",
        taught=reading().scalars(taught).all() if teaches else [],
        courses=reading().scalars(taken).all(),
        teaches=teaches,
        syllabi=syllabus_rows() if teaches else [],
        syllabus_faults=unreadable() if teaches else {},
        today=f"{now():%Y-%m-%d}",
        form=request.form,
        admin=admin,
        message=message,
        title=request.form.get("title", ""),
        code=request.values.get("code", "")[:16],
    )


def course_page(course_id: int, message: str = "", form: Mapping[str, str] | None = None) -> str:
    """Returns the page of a course, with a message about the `form` that was sent to it."""
    session = reading()
    course = find_course(session, course_id)
    search, group = request.args.get("q", "")[:80], chosen_group()
    teachers = session.scalars(
        select(User)
        .join(Member, Member.user_id == User.id)
        .where(Member.course_id == course_id, Member.teaches)
    )
    return render_template(
        "teach/course.html",
        course=course,
        teachers=teachers.all(),
        learners=scores.learners(session, course_id, accounts.fold(search), group),
        people=roster.by_user(session, course_id),
        requests=comments.counts(session, course_id),
        search=search,
        group=group,
        groups=roster.groups(session, course_id),
        bank=problems_for(reading(), course.id),
        message=message,
        form=form or {},
        now=now(),
        platforms=lti.platforms_of(session, course_id),
        step_names=STEP_NAMES,
        steps=steps.STEPS,
        lines=steps.lines(session, course, group),
        titles={p.slug: problem_title(p) for p in service().bank.problems()},
        **choices(None, course.id),
        **clock_words(course),
    )


def choices(assignment: Assignment | None, course_id: int) -> dict[str, Any]:
    """What the form of an assignment offers besides problems; none: of a new one."""
    keys, problems = request.form.getlist("item"), problems_for(reading(), course_id)
    return {
        "lesson_rows": lesson_rows(assignment, keys),
        "practice_rows": practice_rows(assignment, keys, problems),
    }


def chosen_group() -> str:
    """Returns the group of the roster that the address names; empty for the whole class."""
    return request.args.get("group", "").strip()[:60]


def in_zone(moment: datetime, zone: str, seconds: bool = False) -> str:
    """A moment as the wall clock of a zone shows it."""
    return on_the_wall(moment, zone_of(zone), seconds=seconds).replace("T", " ")


def clock_words(course: Course) -> dict[str, Any]:
    """What templates of a class call: its wall clock, and the points of an assignment."""
    zone = zone_of(course.zone)
    points = {"points_of": lambda row: {p.slug: p.points for p in row.problems} if row else {}}
    return points | {
        "wall": partial(in_zone, zone=course.zone),
        "field": lambda moment: on_the_wall(moment, zone),
    }
