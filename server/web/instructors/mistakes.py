"""The pages of mistakes: of an assignment's problem, of a whole class, and of a problem over
everybody; each bar opens the submissions.
"""

from datetime import datetime
from typing import Any

from flask import Blueprint, abort, render_template, request, url_for

from server.messages import Message
from server.models.accounts import Role
from server.models.submissions import Submission
from server.services import accounts, authority
from server.services.courses import groups, mistakes, scores
from server.services.problems import hints
from server.web.access import me, role_required
from server.web.context import reading, service
from server.web.lookups import find_assignment, find_course
from server.web.pages.course_page import clock_words
from server.web.pages.problem_page import verdict_values
from server.web.titles import titled

pages = Blueprint("histogram", __name__, url_prefix="/teach")


def _hints(slug: str) -> dict[str, str]:
    problem = service().bank.get(slug)
    return {m.name: m.hint for m in problem.mistakes} if problem else {}


def _chosen() -> str:
    return request.args.get("mistake", "")[:200]


@pages.get("/assignments/<int:assignment_id>/mistakes/<slug>")
@role_required(Role.INSTRUCTOR)
def assignment(assignment_id: int, slug: str) -> str:
    """Which known mistakes the class makes in a problem of an assignment; `mistake` opens the
    submissions behind a bar.
    """
    session = reading()
    assignment_row = find_assignment(session, assignment_id)
    if slug not in [p.slug for p in assignment_row.problems]:
        abort(404, Message("The assignment has no such problem."))
    users = [user.id for user in scores.learners(session, assignment_row.course_id)]
    where, chosen = mistakes.by_class(slug, users, assignment_row.opens_at), _chosen()
    return render_template(
        "teach/mistakes.html",
        assignment=assignment_row,
        course=assignment_row.course,
        slug=slug,
        title=titled(slug),
        bars=mistakes.histogram(
            session, where, _hints(slug), hints.of_mistakes(session, users, slug)
        ),
        groups=groups.unexplained(session, where),
        chosen=chosen,
        open=lambda name, mistake: url_for(
            "histogram.assignment",
            assignment_id=assignment_row.id,
            slug=name,
            mistake=mistake,
            _anchor="sent",
        ),
        sent=mistakes.examples(session, where, chosen) if chosen else [],
        link=lambda row: url_for(
            "assignments.submission", assignment_id=assignment_row.id, submission_id=row.id
        ),
        **clock_words(assignment_row.course),
    )


@pages.get("/courses/<int:course_id>/mistakes")
@role_required(Role.INSTRUCTOR)
def course(course_id: int) -> str:
    """The mistakes of a class in every problem that it was given; `problem` and `mistake` open the
    submissions behind a bar.
    """
    session = reading()
    course_row = find_course(session, course_id)
    users = [user.id for user in scores.learners(session, course_id)]
    given, slug, chosen = (
        mistakes.first_given(course_row),
        request.args.get("problem", "")[:80],
        _chosen(),
    )
    wheres = {name: mistakes.by_class(name, users, first.opens_at) for name, first in given.items()}
    return render_template(
        "teach/course_mistakes.html",
        course=course_row,
        learners=len(users),
        problems=[
            (
                name,
                titled(name),
                mistakes.histogram(
                    session, where, _hints(name), hints.of_mistakes(session, users, name)
                ),
            )
            for name, where in wheres.items()
        ],
        slug=slug,
        chosen=chosen,
        open=lambda name, mistake: url_for(
            "histogram.course", course_id=course_id, problem=name, mistake=mistake, _anchor="sent"
        ),
        sent=mistakes.examples(session, wheres[slug], chosen) if chosen and slug in wheres else [],
        link=lambda row: url_for(
            "assignments.submission", assignment_id=given[row.problem].id, submission_id=row.id
        ),
        **clock_words(course_row),
    )


@pages.get("/problems/<slug>/mistakes")
@role_required(Role.INSTRUCTOR)
def problem(slug: str) -> str:
    """The mistakes of everybody in a problem.

    A bar opens what the asker may read: an admin all, a teacher what their learners sent.
    """
    session = reading()
    if service().bank.get(slug) is None:
        abort(404, Message("There is no problem of that name."))
    where, chosen, admin = (
        mistakes.by_all(slug),
        _chosen(),
        accounts.at_least(me().role, Role.ADMIN),
    )
    taught = [] if admin or not chosen else mistakes.taught(session, me().id, where, chosen)
    within = {row.id: number for row, number in taught}
    return render_template(
        "teach/problem_mistakes.html",
        slug=slug,
        title=titled(slug),
        bars=mistakes.histogram(session, where, _hints(slug)),
        groups=groups.unexplained(session, [*where, *authority.may_touch(me())]),
        chosen=chosen,
        admin=admin,
        open=lambda name, mistake: url_for(
            "histogram.problem", slug=name, mistake=mistake, _anchor="sent"
        ),
        sent=mistakes.examples(session, where, chosen)
        if admin and chosen
        else [row for row, _ in taught],
        link=lambda row: _link(row, within),
        wall=_utc,
    )


def _link(row: Submission, within: dict[int, int]) -> str:
    if row.id in within:
        return url_for("assignments.submission", assignment_id=within[row.id], submission_id=row.id)
    return url_for("histogram.submission", slug=row.problem, submission_id=row.id)


def _utc(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M")


@pages.get("/problems/<slug>/submissions/<int:submission_id>")
@role_required(Role.ADMIN)
def submission(slug: str, submission_id: int) -> str:
    """Any submission to a problem, with its source and whole verdict; for admins, who need no class
    for it.
    """
    row = reading().get(Submission, submission_id)
    if row is None or row.samples_only or row.problem != slug:
        abort(404, Message("The problem has no submission of that number."))
    values: dict[str, Any] = verdict_values(row) | {"assignment": None, "user": row.user}
    return render_template("teach/submission.html", submission=row, **values)
