"""For instructors: invitations and password links. For admins: roles, and what the judge could not judge."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlalchemy import func, select
from werkzeug.wrappers import Response

from grader.model import Outcome
from server import accounts, store
from server.access import me, role_required
from server.db import Invitation, Role, Submission, User, WorkerSeen, now
from server.service import reading, service, stop_reading
from server.submit import asked_page
from server.teach.audit import note
from server.texts import translate

pages = Blueprint("manage", __name__, url_prefix="/manage")

PAGE = 50


@pages.get("")
@role_required(Role.INSTRUCTOR)
def show() -> str:
    """Accounts, invitations, trouble."""
    return _page()


def _page(link: str = "", link_for: str = "") -> str:
    session = reading()
    query, page = request.args.get("q", "")[:80], asked_page()
    users = select(User).where(User.folded.contains(accounts.fold(query), autoescape=True)) if query else select(User)
    errors = select(Submission).where(Submission.outcome == str(Outcome.JUDGE_ERROR)).order_by(Submission.id.desc()).limit(PAGE)
    admin = accounts.at_least(me().role, Role.ADMIN)
    return render_template(
        "manage.html",
        users=session.scalars(users.order_by(User.folded).offset((page - 1) * PAGE).limit(PAGE)).all(),
        total=session.scalar(select(func.count()).select_from(users.subquery())),
        page=page,
        page_size=PAGE,
        query=query,
        invitations=session.scalars(select(Invitation).where(Invitation.used_at.is_(None), Invitation.expires_at > now())).all(),
        roles=grantable(me()),
        errors=session.scalars(errors).all() if admin else [],
        workers=session.scalars(select(WorkerSeen).order_by(WorkerSeen.owner)).all() if admin else [],
        most_failures=store.ATTEMPTS,
        admin=admin,
        link=link,
        link_for=link_for,
    )


def grantable(user: User) -> list[Role]:
    """Roles that an account may give to others: an instructor invites learners, an admin anyone."""
    return list(Role) if accounts.at_least(user.role, Role.ADMIN) else [Role.LEARNER]


@pages.post("/invitations")
@role_required(Role.INSTRUCTOR)
def invite() -> str:
    """An invitation, shown in this answer and never again."""
    role = request.form.get("role", Role.LEARNER)
    if role not in grantable(me()):
        abort(403, f"You may not invite anyone as {role[:20]}.")
    with service().database.write() as session:
        code = accounts.invite(session, Role(role), me().id, request.form.get("note", ""))
    stop_reading()
    return _page(link=url_for("auth.sign_up", invitation=code, _external=True), link_for=translate("A new account"))


@pages.post("/users/<int:user_id>/reset")
@role_required(Role.INSTRUCTOR)
def reset(user_id: int) -> str:
    """A link that sets a new password; only for accounts whose role is below one's own (an admin's: any)."""
    with service().database.write() as session:
        user = _subject(session.get(User, user_id))
        code = accounts.make_reset(session, user, me().id)
    stop_reading()
    return _page(link=url_for("auth.reset", code=code, _external=True), link_for=user.name)


def _subject(user: User | None) -> User:
    if user is None:
        abort(404, "There is no such account.")
    if not accounts.at_least(me().role, Role.ADMIN) and user.role != Role.LEARNER:
        abort(403, "Only an admin may do that for an instructor or admin.")
    return user


@pages.post("/users/<int:user_id>/role")
@role_required(Role.ADMIN)
def change_role(user_id: int) -> Response:
    """Give an account another role, or close it, and say why. The last admin stays one."""
    wanted, active, reason = (
        request.form.get("role", ""),
        request.form.get("active", "yes") == "yes",
        request.form.get("reason", "").strip(),
    )
    if wanted not in list(Role):
        abort(422, "There is no such role.")
    with service().database.write() as session:
        user = _subject(session.get(User, user_id))
        admins = session.scalar(select(func.count()).select_from(User).where(User.role == Role.ADMIN, User.active, User.id != user.id))
        if not admins and (wanted != Role.ADMIN or not active):
            abort(422, "This is the last admin; make another one first.")
        if (user.role, user.active) != (wanted, active):
            if not reason:
                abort(422, "Say why; the audit log keeps it.")
            note(session, me().id, "role", user.name, reason, was=user.role, role=wanted, active=active)
        user.role, user.active = wanted, active
    flash(translate("Saved."))
    return redirect(url_for("manage.show"), 303)


@pages.post("/submissions/<int:submission_id>/judge-again")
@role_required(Role.ADMIN)
def judge_again(submission_id: int) -> Response:
    """Send a submission that we failed on through the judge once more."""
    with service().database.write() as session:
        if not store.judge_again(session, submission_id):
            abort(404, "There is no such submission, or it did not end in an error of the judge.")
        note(session, me().id, "judge again", f"submission {submission_id}", number=submission_id)
    service().queue.put(submission_id)
    flash(translate("Queued again."))
    return redirect(url_for("manage.show"), 303)


@pages.post("/submissions/<int:submission_id>/give-back")
@role_required(Role.ADMIN)
def give_back(submission_id: int) -> Response:
    """Give the attempt of a submission that we lost back to its learner, without judging it again."""
    with service().database.write() as session:
        if not store.give_back(session, submission_id):
            abort(404, "There is no such submission, or it costs no attempt.")
        note(session, me().id, "attempt given back", f"submission {submission_id}", number=submission_id)
    flash(translate("The attempt is given back."))
    return redirect(url_for("manage.show"), 303)
