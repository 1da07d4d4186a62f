"""The pages of a class for its teachers: courses, who is in them, assignments, the matrix, a
learner.
"""

import secrets
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from grader.errors import UsageError
from server.lti import grades
from server.messages import Message, sentence
from server.models import lti
from server.models.accounts import Role, User
from server.models.base import now
from server.models.courses import (
    Assignment,
    AssignmentProblem,
    Course,
    Feedback,
    Late,
    Member,
    Override,
)
from server.models.submissions import Submission
from server.services import accounts, notices
from server.services.audit import note
from server.services.courses import scores
from server.services.courses.timezones import on_the_wall, to_utc, zone_of
from server.web.access import me, role_required
from server.web.context import reading, service, stop_reading
from server.web.learners.submissions import verdict_values
from server.web.texts import translate

pages = Blueprint("courses", __name__, url_prefix="/teach")

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # that nobody mistakes for one another
MOST_PROBLEMS = 100


def new_code() -> str:
    """A code to join with: 31 to the 8th, and joining is limited."""
    return "".join(secrets.choice(LETTERS) for _ in range(8))


def find_course(session: Session, course_id: int) -> Course:
    """A course that one teaches (an admin: any); 404 for another."""
    course = session.get(Course, course_id)
    taught = session.scalar(
        select(Member).where(
            Member.course_id == course_id, Member.user_id == me().id, Member.teaches
        )
    )
    if course is None or (taught is None and not accounts.at_least(me().role, Role.ADMIN)):
        abort(404, Message("You teach no course of that number."))
    return course


def find_assignment(session: Session, assignment_id: int) -> Assignment:
    """An assignment of a course that one teaches; 404 for another."""
    assignment = session.get(Assignment, assignment_id)
    if assignment is None:
        abort(404, Message("You teach no course with that assignment."))
    find_course(session, assignment.course_id)
    return assignment


@pages.get("/courses")
@role_required(Role.INSTRUCTOR)
def home() -> str:
    """The courses that one teaches."""
    return _home()


def _home(message: str = "") -> str:
    query = select(Course).order_by(Course.archived, Course.id.desc())
    if not accounts.at_least(me().role, Role.ADMIN):
        query = query.join(Member, Member.course_id == Course.id).where(
            Member.user_id == me().id, Member.teaches
        )
    found = reading().scalars(query).all()
    return render_template(
        "teach/courses.html", courses=found, message=message, title=request.form.get("title", "")
    )


@pages.post("/courses")
@role_required(Role.INSTRUCTOR)
def create() -> Answer | tuple[str, int]:
    """A new course; whoever makes it teaches it."""
    title, user = " ".join(request.form.get("title", "").split())[:120], me().id
    try:
        if not title:
            raise UsageError(Message("A course needs a title."))
        zone = zone_of(request.form.get("zone", "").strip())
    except UsageError as error:
        return _home(sentence(error)), 422
    stop_reading()
    with service().database.write() as session:
        course = Course(title=title, code=new_code(), zone=zone.key)
        session.add(course)
        session.flush()
        session.add(Member(course_id=course.id, user_id=user, teaches=True))
        note(session, user, "course", title, number=course.id)
    return redirect(url_for("courses.show", course_id=course.id), 303)


@pages.get("/courses/<int:course_id>")
@role_required(Role.INSTRUCTOR)
def show(course_id: int) -> str:
    """Assignments, the join code, who is in it."""
    return _page(course_id)


def _page(course_id: int, message: str = "", form: Any = None) -> str:
    session = reading()
    course = find_course(session, course_id)
    search = request.args.get("q", "")[:80]
    teachers = session.scalars(
        select(User)
        .join(Member, Member.user_id == User.id)
        .where(Member.course_id == course_id, Member.teaches)
    )
    return render_template(
        "teach/course.html",
        course=course,
        teachers=teachers.all(),
        learners=scores.learners(session, course_id, accounts.fold(search)),
        search=search,
        bank=service().bank.problems(),
        message=message,
        form=form or {},
        now=now(),
        platforms=lti.platforms_of(session, course_id),
        **words(course),
    )


def words(course: Course) -> dict[str, Any]:
    """What templates of a class call: its wall clock, and the points of an assignment."""
    zone = zone_of(course.zone)
    points = {"points_of": lambda row: {p.slug: p.points for p in row.problems} if row else {}}
    return points | {
        "wall": lambda moment: on_the_wall(moment, zone).replace("T", " "),
        "field": lambda moment: on_the_wall(moment, zone),
    }


@pages.post("/courses/<int:course_id>/settings")
@role_required(Role.INSTRUCTOR)
def settings(course_id: int) -> Answer | tuple[str, int]:
    """Another join code, archive or take out of the archive, another time zone (moments stay), or
    another teacher.
    """
    action, user, by = request.form.get("action", ""), me().id, notices.actor(me())
    stop_reading()
    try:
        with service().database.write() as session:
            course = find_course(session, course_id)
            if action == "code":
                course.code = new_code()
            elif action in ("archive", "reopen"):
                if action == "archive" and not course.archived:
                    for member in course.members:
                        notices.tell(session, member.user_id, "archived", by, course=course.title)
                course.archived = action == "archive"
            elif action == "zone":
                course.zone = zone_of(request.form.get("zone", "").strip()).key
            elif action == "teacher":
                _add_teacher(session, course, request.form.get("name", ""), by)
            else:
                raise UsageError(Message("There is no such action."))
            note(
                session,
                user,
                "course",
                Message("%(course)s: %(change)s", course=course.title, change=_change(action)),
                number=course.id,
            )
    except UsageError as error:
        return _page(course_id, sentence(error)), 422
    flash(translate("Saved."))
    return redirect(url_for("courses.show", course_id=course_id), 303)


def _change(action: str) -> Message:
    """What was changed in the settings of a course, for the audit log."""
    form = request.form
    if action == "teacher":
        return Message("another teacher, %(name)s", name=form.get("name", ""))
    if action == "zone":
        return Message("time zone %(zone)s", zone=form.get("zone", "")[:64])
    if action == "code":
        return Message("another code")
    return Message("archived") if action == "archive" else Message("taken out of the archive")


def _add_teacher(session: Session, course: Course, name: str, by: notices.Actor) -> None:
    user = accounts.find_user(session, name)
    if user is None or not accounts.at_least(user.role, Role.INSTRUCTOR):
        raise UsageError(Message("There is no instructor '%(name)s'.", name=name[:40]))
    session.merge(Member(course_id=course.id, user_id=user.id, teaches=True))
    notices.tell(session, user.id, "teacher", by, course=course.title)


@pages.post("/courses/<int:course_id>/members/<int:user_id>/remove")
@role_required(Role.INSTRUCTOR)
def remove(course_id: int, user_id: int) -> Answer:
    """Take somebody out of the course; their submissions stay theirs. The last teacher stays."""
    by, actor = me().id, notices.actor(me())
    stop_reading()
    with service().database.write() as session:
        course = find_course(session, course_id)
        member = session.get(Member, (course_id, user_id))
        others = session.scalars(
            select(Member).where(
                Member.course_id == course_id, Member.teaches, Member.user_id != user_id
            )
        ).all()
        if member is None or (member.teaches and not others):
            abort(
                422 if member else 404,
                Message("There is nobody of that number in the course, or it is its last teacher."),
            )
        session.delete(member)
        notices.tell(session, user_id, "removed", actor, course=course.title)
        note(
            session,
            by,
            "course",
            Message("%(course)s: removed %(name)s", course=course.title, name=member.user.name),
            number=course_id,
        )
    flash(translate("Removed."))
    return redirect(url_for("courses.show", course_id=course_id), 303)


# ---------------------------------------------------------------------------------------------------------------------
# assignments


@pages.post("/courses/<int:course_id>/assignments")
@role_required(Role.INSTRUCTOR)
def assign(course_id: int) -> Answer | tuple[str, int]:
    """A new assignment."""
    return _save(course_id, None)


@pages.post("/assignments/<int:assignment_id>/settings")
@role_required(Role.INSTRUCTOR)
def change(assignment_id: int) -> Answer | tuple[str, int]:
    """Other terms for an assignment; scores follow them at once."""
    return _save(find_assignment(reading(), assignment_id).course_id, assignment_id)


def _save(course_id: int, assignment_id: int | None) -> Answer | tuple[str, int]:
    user, bank = me().id, {p.slug for p in service().bank.problems()}
    stop_reading()
    try:
        with service().database.write() as session:
            course = find_course(session, course_id)
            values, slugs = _read_terms(course, bank)
            row = (
                Assignment(course_id=course_id)
                if assignment_id is None
                else session.get_one(Assignment, assignment_id)
            )
            for name, value in values.items():
                setattr(row, name, value)
            session.add(row)
            points = {p.slug: p.points for p in row.problems}
            row.problems.clear()
            session.flush()
            for i, slug in enumerate(slugs):
                worth = _points(request.form.get(f"points-{slug}", ""), points.get(slug, 10.0))
                row.problems.append(AssignmentProblem(slug=slug, position=i, points=worth))
            session.flush()
            note(
                session,
                user,
                "assignment",
                Message("%(title)s in %(course)s", title=row.title, course=course.title),
                number=row.id,
            )
            grades.look_again(session, row.id)
            number = row.id
    except UsageError as error:
        if assignment_id is None:
            return _page(course_id, sentence(error), request.form), 422
        return _matrix_page(assignment_id, sentence(error)), 422
    flash(translate("Saved."))
    return redirect(url_for("courses.assignment", assignment_id=number), 303)


def _read_terms(course: Course, bank: set[str]) -> tuple[dict[str, Any], list[str]]:
    """The form of an assignment. Raises `UsageError` naming what is wrong."""
    form, zone = request.form, zone_of(course.zone)
    title = " ".join(form.get("title", "").split())[:120]
    opens, due = to_utc(form.get("opens", ""), zone), to_utc(form.get("due", ""), zone, later=True)
    slugs = list(dict.fromkeys(form.getlist("problem")))
    if not title:
        raise UsageError(Message("An assignment needs a title."))
    if due <= opens:
        raise UsageError(Message("It must open before it is due."))
    if not slugs or len(slugs) > MOST_PROBLEMS or not set(slugs) <= bank:
        raise UsageError(Message("Choose 1 to %(most)s problems of the bank.", most=MOST_PROBLEMS))
    if form.get("late") not in list(Late) or form.get("feedback") not in list(Feedback):
        raise UsageError(Message("Choose what late work counts, and how much feedback there is."))
    attempts = form.get("attempts", "").strip()
    if attempts and not (attempts.isdecimal() and 1 <= int(attempts[:5]) <= 1000):
        raise UsageError(
            Message(
                "Attempts are a number from 1 to 1000; leave it empty for as many as one likes."
            )
        )
    percent = form.get("late_percent", "").strip() or "0"
    if not (percent.isdecimal() and int(percent[:4]) <= 100):
        raise UsageError(Message("Percent a day is a number from 0 to 100."))
    terms = {
        "late": form["late"],
        "late_percent": int(percent),
        "attempts": int(attempts) if attempts else None,
        "feedback": form["feedback"],
    }
    return {"title": title, "opens_at": opens, "due_at": due, **terms}, slugs


def _points(text: str, default: float) -> float:
    try:
        value = float(text) if text.strip() else default
    except ValueError:
        raise UsageError(Message("Points are a number.")) from None
    if not 0 <= value <= 10_000:
        raise UsageError(Message("Points are a number from 0 to 10,000."))
    return value


@pages.get("/assignments/<int:assignment_id>")
@role_required(Role.INSTRUCTOR)
def assignment(assignment_id: int) -> str:
    """Learners × problems: best score, attempts, state. `q` searches by name."""
    return _matrix_page(assignment_id)


def _matrix_page(assignment_id: int, message: str = "") -> str:
    session = reading()
    found = find_assignment(session, assignment_id)
    values = _matrix(session, found) | {
        "posts": grades.statuses(session, found),
        "platforms": lti.platforms_of(session, found.course_id),
    }
    return render_template(
        "teach/assignment.html", message=message, bank=service().bank.problems(), **values
    )


def _matrix(session: Session, found: Assignment) -> dict[str, Any]:
    search = request.args.get("q", "")[:80]
    lines = scores.matrix(
        session, found, scores.learners(session, found.course_id, accounts.fold(search))
    )
    solved = [sum(line.cells[i].solved for line in lines) for i in range(len(found.problems))]
    titles = {p.slug: p.title for p in service().bank.problems()}
    values = {
        "assignment": found,
        "course": found.course,
        "lines": lines,
        "solved": solved,
        "titles": titles,
        "search": search,
    }
    return {**values, **words(found.course)}


@pages.get("/assignments/<int:assignment_id>/live")
@role_required(Role.INSTRUCTOR)
def live(assignment_id: int) -> Response:
    """The matrix for a script that keeps it fresh."""
    found = find_assignment(reading(), assignment_id)
    return jsonify(
        {
            "state": "running",
            "html": render_template("teach/_matrix.html", **_matrix(reading(), found)),
        }
    )


@pages.get("/assignments/<int:assignment_id>/learners/<int:user_id>")
@role_required(Role.INSTRUCTOR)
def learner(assignment_id: int, user_id: int) -> str:
    """One learner's work on an assignment, and scores set by hand."""
    return _learner(assignment_id, user_id)


def _learner(assignment_id: int, user_id: int, message: str = "") -> str:
    session = reading()
    found = find_assignment(session, assignment_id)
    user = _in_course(session, found, user_id)
    slugs = [p.slug for p in found.problems]
    own = (
        Submission.user_id == user_id,
        Submission.problem.in_(slugs),
        Submission.submitted_at >= found.opens_at,
    )
    sent = session.scalars(
        select(Submission)
        .where(*own, Submission.samples_only.is_(False))
        .order_by(Submission.id.desc())
        .limit(500)
    ).all()
    values = _matrix(session, found) | {
        "line": scores.matrix(session, found, [user])[0],
        "user": user,
        "sent": sent,
    }
    values["link"] = lambda row: url_for(
        "courses.submission", assignment_id=assignment_id, submission_id=row.id
    )
    return render_template("teach/learner.html", message=message, **values)


def _in_course(session: Session, found: Assignment, user_id: int) -> User:
    member = session.get(Member, (found.course_id, user_id))
    if member is None or member.teaches:
        abort(404, Message("There is no learner of that number in the course."))
    return member.user


@pages.post("/assignments/<int:assignment_id>/learners/<int:user_id>/override")
@role_required(Role.INSTRUCTOR)
def override(assignment_id: int, user_id: int) -> Answer | tuple[str, int]:
    """Set a score by hand, with the reason; an empty score takes it back."""
    slug, text, reason, by = (
        *(request.form.get(name, "").strip() for name in ("slug", "score", "reason")),
        me().id,
    )
    actor = notices.actor(me())
    stop_reading()
    try:
        with service().database.write() as session:
            found = find_assignment(session, assignment_id)
            user = _in_course(session, found, user_id)
            if slug not in [p.slug for p in found.problems] or not reason:
                raise UsageError(Message("Choose a problem of the assignment, and say why."))
            own = (
                Override.assignment_id == assignment_id,
                Override.user_id == user_id,
                Override.slug == slug,
            )
            old = session.scalar(select(Override).where(*own))
            session.execute(delete(Override).where(*own))
            if text:
                score = _points(text, 0.0)
                session.add(
                    Override(
                        assignment_id=assignment_id,
                        user_id=user_id,
                        slug=slug,
                        score=score,
                        reason=reason[:2000],
                        by=by,
                    )
                )
            grades.look_again(session, assignment_id)
            subject = Message(
                "%(name)s, %(problem)s in %(title)s",
                name=user.name,
                problem=slug,
                title=found.title,
            )
            note(
                session,
                by,
                "override",
                subject,
                reason,
                was=old.score if old else None,
                score=text or None,
            )
            told: dict[str, Any] = {
                "problem": slug,
                "assignment": found.title,
                "reason": reason[:2000],
            }
            told |= {"score": f"{score:g}"} if text else {}
            notices.tell(session, user.id, "score" if text else "score_back", actor, **told)
    except UsageError as error:
        return _learner(assignment_id, user_id, sentence(error)), 422
    flash(translate("Saved."))
    return redirect(url_for("courses.learner", assignment_id=assignment_id, user_id=user_id), 303)


@pages.get("/assignments/<int:assignment_id>/submissions/<int:submission_id>")
@role_required(Role.INSTRUCTOR)
def submission(assignment_id: int, submission_id: int) -> str:
    """A learner's submission to a problem of the assignment, with its source and whole verdict."""
    session = reading()
    found = find_assignment(session, assignment_id)
    row = session.get(Submission, submission_id)
    if (
        row is None
        or row.samples_only
        or row.submitted_at < found.opens_at
        or row.problem not in [p.slug for p in found.problems]
    ):
        abort(404, Message("The assignment has no submission of that number."))
    user = _in_course(session, found, row.user_id)
    values = verdict_values(row) | {"assignment": found, "course": found.course, "user": user}
    return render_template("teach/submission.html", submission=row, **values)
