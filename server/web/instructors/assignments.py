"""The pages of an assignment for its teachers: its terms, the matrix of scores, one learner's work,
and scores set by hand.
"""

from collections.abc import Mapping
from typing import Any

from flask import (
    Blueprint,
    Response,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from grader.errors import UsageError
from server.messages import sentence
from server.models import lti
from server.models.accounts import Role
from server.models.courses import Assignment, Extension, ItemKind
from server.models.submissions import Submission
from server.services import accounts
from server.services.courses import (
    assignments,
    comments,
    extensions,
    items,
    overrides,
    passback_queue,
    roster,
    scores,
)
from server.services.practice import sets
from server.services.problems import hints
from server.web.access import me, role_required
from server.web.context import reading, service, stop_reading, wake_chores
from server.web.lookups import find_assignment, find_course, find_learner, problems_for
from server.web.pages.course_page import choices, chosen_group, clock_words, course_page
from server.web.pages.sent_page import sent_page
from server.web.panels.item import columns
from server.web.texts import translate

pages = Blueprint("assignments", __name__, url_prefix="/teach")


@pages.post("/courses/<int:course_id>/assignments")
@role_required(Role.INSTRUCTOR)
def create(course_id: int) -> Answer | tuple[str, int]:
    """A new assignment."""
    try:
        number = _save(course_id, None)
    except UsageError as error:
        return course_page(course_id, sentence(error), request.form), 422
    return _saved(number)


@pages.post("/assignments/<int:assignment_id>/settings")
@role_required(Role.INSTRUCTOR)
def change(assignment_id: int) -> Answer | tuple[str, int]:
    """Other terms for an assignment; scores follow them at once."""
    assignment = find_assignment(reading(), assignment_id)
    try:
        assignments.check_unchanged(assignment, request.form.get("was"))
        _save(assignment.course_id, assignment_id)
    except UsageError as error:
        return _matrix_page(assignment_id, sentence(error), request.form), 422
    return _saved(assignment_id)


@pages.post("/assignments/<int:assignment_id>/delete")
@role_required(Role.INSTRUCTOR)
def discard(assignment_id: int) -> Answer | tuple[str, int]:
    """Delete an assignment for which nobody has done anything."""
    user = me().id
    stop_reading()
    try:
        with service().database.write() as session:
            assignment = find_assignment(session, assignment_id)
            course_id, title = assignment.course_id, assignment.title
            assignments.remove(session, assignment, user)
    except UsageError as error:
        return _matrix_page(assignment_id, sentence(error)), 422
    flash(translate("The assignment %(title)s is deleted.", title=title))
    return redirect(url_for("courses.show", course_id=course_id), 303)


def _save(course_id: int, assignment_id: int | None) -> int:
    user, lessons = me().id, service().lessons.all()
    problems = problems_for(reading(), course_id)
    form, slugs = request.form, request.form.getlist("problem")
    points = {slug: form.get(f"points-{slug}", "") for slug in slugs}
    known = items.offered(lessons, problems)
    chosen = items.read_items(form, form.getlist("item"), known)
    stop_reading()
    with service().database.write() as session:
        course = find_course(session, course_id)
        if assignment_id is None:
            row = Assignment(course_id=course_id)
        else:
            row = session.get_one(Assignment, assignment_id)
            assignments.check_unchanged(row, form.get("was"))
        items.refuse_empty(session, chosen, problems)
        terms = assignments.read_terms(form, slugs, course, {p.slug for p in problems}, chosen)
        assignments.save(session, course, row, terms, points, user)
        questions = {each.slug: [q.name for q in each.questions] for each in lessons}
        items.catch_up(session, row, questions, {p.slug: p.digest for p in problems})
        number = row.id
    _want_practice({item.slug for item in chosen if item.kind == ItemKind.PRACTICE})
    return number


def _want_practice(slugs: set[str]) -> None:
    """Asks the worker for items of practice that are assigned, so that nobody waits for them."""
    assigned = [problem for problem in service().bank.problems() if problem.slug in slugs]
    sets.want_all(service().database, assigned)
    wake_chores()


def _saved(assignment_id: int) -> Answer:
    flash(translate("Saved."))
    return redirect(url_for("assignments.show", assignment_id=assignment_id), 303)


@pages.get("/assignments/<int:assignment_id>")
@role_required(Role.INSTRUCTOR)
def show(assignment_id: int) -> str:
    """Learners × problems: best score, attempts, state. `q` searches by name."""
    return _matrix_page(assignment_id)


def _matrix_page(
    assignment_id: int, message: str = "", form: Mapping[str, str] | None = None
) -> str:
    """The page, with a message about the `form` that was sent to it."""
    session = reading()
    assignment = find_assignment(session, assignment_id)
    values = _matrix(session, assignment) | {
        "posts": passback_queue.statuses(session, assignment),
        "requests": comments.requests(session, assignment),
        "platforms": lti.platforms_of(session, assignment.course_id),
        **choices(None if form else assignment, assignment.course_id),
        "bank": problems_for(session, assignment.course_id),
        "form": form or {},
        "fingerprint": assignments.fingerprint(assignment),
    }
    return render_template("teach/assignment.html", message=message, **values)


def _matrix(session: Session, assignment: Assignment) -> dict[str, Any]:
    search, group = request.args.get("q", "")[:80], chosen_group()
    people = scores.learners(session, assignment.course_id, accounts.fold(search), group)
    lines = scores.matrix(session, assignment, people)
    heads = columns(assignment)
    solved = [sum(line.cells[i].solved for line in lines) for i in range(len(heads))]
    values = {
        "assignment": assignment,
        "course": assignment.course,
        "lines": lines,
        "people": roster.by_user(session, assignment.course_id),
        "solved": solved,
        "columns": heads,
        "titles": {head.key: head.title for head in heads},
        "search": search,
        "group": group,
        "groups": roster.groups(session, assignment.course_id),
    }
    return {**values, **clock_words(assignment.course)}


@pages.get("/assignments/<int:assignment_id>/live")
@role_required(Role.INSTRUCTOR)
def live(assignment_id: int) -> Response:
    """The matrix for a script that keeps it fresh."""
    assignment = find_assignment(reading(), assignment_id)
    return jsonify(
        {
            "state": "running",
            "html": render_template("teach/_matrix.html", **_matrix(reading(), assignment)),
        }
    )


@pages.get("/assignments/<int:assignment_id>/learners/<int:user_id>")
@role_required(Role.INSTRUCTOR)
def learner(assignment_id: int, user_id: int) -> str:
    """One learner's work on an assignment, and scores set by hand."""
    return _learner(assignment_id, user_id)


def _learner(
    assignment_id: int, user_id: int, message: str = "", form: Mapping[str, str] | None = None
) -> str:
    """The page, with a message about the `form` that was sent to it: of a score or an extension."""
    session = reading()
    assignment = find_assignment(session, assignment_id)
    user = find_learner(session, assignment, user_id)
    slugs = [p.slug for p in assignment.problems]
    own = (
        Submission.user_id == user_id,
        Submission.problem.in_(slugs),
        Submission.submitted_at >= assignment.opens_at,
    )
    sent = session.scalars(
        select(Submission)
        .where(*own, Submission.samples_only.is_(False))
        .order_by(Submission.id.desc())
        .limit(500)
    ).all()
    values = _matrix(session, assignment) | {
        "line": scores.matrix(session, assignment, [user])[0],
        "extension": session.get(Extension, (assignment_id, user_id)),
        "user": user,
        "sent": sent,
        "hint_steps": {
            slug: hints.of_learners(session, [user_id], slug).get(user_id, 0) for slug in slugs
        },
    }
    values["form"] = form or {}
    values["link"] = lambda row: url_for(
        "assignments.submission", assignment_id=assignment_id, submission_id=row.id
    )
    return render_template("teach/learner.html", message=message, **values)


@pages.post("/assignments/<int:assignment_id>/learners/<int:user_id>/override")
@role_required(Role.INSTRUCTOR)
def override(assignment_id: int, user_id: int) -> Answer | tuple[str, int]:
    """Set a score by hand, with the reason; an empty score takes it back."""
    teacher = me()
    score = overrides.SetScore(
        *(request.form.get(name, "").strip() for name in ("slug", "score", "reason"))
    )
    stop_reading()
    try:
        with service().database.write() as session:
            assignment = find_assignment(session, assignment_id)
            user = find_learner(session, assignment, user_id)
            overrides.override(session, assignment, user, score, teacher)
    except UsageError as error:
        return _learner(assignment_id, user_id, sentence(error), request.form), 422
    return _saved_of(assignment_id, user_id)


def _saved_of(assignment_id: int, user_id: int) -> Answer:
    flash(translate("Saved."))
    return redirect(
        url_for("assignments.learner", assignment_id=assignment_id, user_id=user_id), 303
    )


@pages.post("/assignments/<int:assignment_id>/learners/<int:user_id>/extension")
@role_required(Role.INSTRUCTOR)
def extend(assignment_id: int, user_id: int) -> Answer | tuple[str, int]:
    """A later due time for one learner, with the reason; an empty one takes it back."""
    teacher = me()
    due = extensions.NewDue(
        *(request.form.get(name, "").strip() for name in ("due", "reason", "minutes"))
    )
    stop_reading()
    try:
        with service().database.write() as session:
            assignment = find_assignment(session, assignment_id)
            user = find_learner(session, assignment, user_id)
            extensions.extend(session, assignment, user, due, teacher)
    except UsageError as error:
        return _learner(assignment_id, user_id, sentence(error), request.form), 422
    return _saved_of(assignment_id, user_id)


@pages.get("/assignments/<int:assignment_id>/submissions/<int:submission_id>")
@role_required(Role.INSTRUCTOR)
def submission(assignment_id: int, submission_id: int) -> str:
    """A learner's submission to a problem of the assignment, with its source and whole verdict."""
    return sent_page(assignment_id, submission_id)
