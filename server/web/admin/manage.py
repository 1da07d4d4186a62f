"""For instructors: invitations, and password links for learners of their courses. For admins: every
account, roles, and what the judge could not judge.
"""

from pathlib import Path

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from grader.errors import UsageError
from grader.model import Outcome
from server.lengths import fault
from server.messages import Message, sentence
from server.models.accounts import Invitation, Role, User
from server.models.base import now
from server.models.submissions import Submission, WorkerSeen
from server.services import accounts, authority, notices, operation, password_resets
from server.services.audit import note
from server.services.jobs import lost_submissions
from server.services.jobs.kinds import SUBMISSIONS
from server.web.access import by_learner, limiter, link_limit, me, role_required
from server.web.context import reading, service, stop_reading
from server.web.lookups import page_number
from server.web.texts import translate

pages = Blueprint("manage", __name__, url_prefix="/manage")

PAGE = 50


@pages.get("")
@role_required(Role.INSTRUCTOR)
def show() -> str:
    """Accounts, invitations, trouble."""
    return _page()


def _page(link: str = "", link_for: str = "", message: str = "") -> str:
    session = reading()
    query, page = request.args.get("q", "")[:80], page_number()
    users = (
        select(User).where(User.folded.contains(accounts.fold(query), autoescape=True))
        if query
        else select(User)
    )
    invitations = select(Invitation).where(
        Invitation.used_at.is_(None), Invitation.expires_at > now()
    )
    errors = (
        select(Submission)
        .where(Submission.outcome == str(Outcome.JUDGE_ERROR))
        .order_by(Submission.id.desc())
        .limit(PAGE)
    )
    admin, folder = authority.is_admin(me()), Path(service().settings.instance)
    if not admin:  # the learners of one's own courses, and what one made oneself
        users = users.where(User.id.in_(authority.learners_of(me().id)))
        invitations = invitations.where(Invitation.created_by == me().id)
    return render_template(
        "manage.html",
        users=session.scalars(
            users.order_by(User.folded).offset((page - 1) * PAGE).limit(PAGE)
        ).all(),
        total=session.scalar(select(func.count()).select_from(users.subquery())),
        page=page,
        page_size=PAGE,
        query=query,
        invitations=session.scalars(invitations).all(),
        roles=grantable(me()),
        errors=session.scalars(errors).all() if admin else [],
        workers=session.scalars(select(WorkerSeen).order_by(WorkerSeen.owner)).all()
        if admin
        else [],
        most_failures=SUBMISSIONS.attempts,
        admin=admin,
        health=operation.health(session, folder) if admin else None,
        link=link,
        link_for=link_for,
        message=message,
        about=request.form.get("note", "") if message else "",
    )


def grantable(user: User) -> list[Role]:
    """Roles that an account may give to others: an instructor invites learners, an admin anyone."""
    return list(Role) if accounts.at_least(user.role, Role.ADMIN) else [Role.LEARNER]


@pages.post("/invitations")
@role_required(Role.INSTRUCTOR)
@limiter.limit(link_limit, key_func=by_learner)
def invite() -> str | tuple[str, int]:
    """An invitation, shown in this answer and never again."""
    role, about = request.form.get("role", Role.LEARNER), request.form.get("note", "")
    try:
        with service().database.write() as session:
            maker = _asker(session)
            if role not in grantable(maker):
                abort(403, Message("You may not invite anyone as %(role)s.", role=role[:20]))
            code = accounts.invite(session, Role(role), maker.id, about)
            note(session, maker.id, "invitation", role, about)
    except UsageError as error:
        return _page(message=sentence(error)), 422
    stop_reading()
    return _page(
        link=url_for("auth.sign_up", invitation=code, _external=True),
        link_for=translate("A new account"),
    )


def _asker(session: Session) -> User:
    """The account that asks, as it is in this transaction: its role may have changed since the
    request began.
    """
    user = session.get_one(User, me().id)
    if not user.active or not accounts.at_least(user.role, Role.INSTRUCTOR):
        abort(403)
    return user


@pages.post("/users/<int:user_id>/reset")
@role_required(Role.INSTRUCTOR)
@limiter.limit(link_limit, key_func=by_learner)
def reset(user_id: int) -> str:
    """A link that sets a new password: an admin for anyone, an instructor for learners of their own
    courses.
    """
    with service().database.write() as session:
        maker, person = _asker(session), session.get(User, user_id)
        if person is None or not authority.may_make_link(session, maker, person):
            # The same words for an account that is not there: account numbers tell nothing.
            abort(
                404,
                Message("There is no open account of that number for which you may make a link."),
            )
        code, name = password_resets.make(session, person, maker), person.name
    stop_reading()
    return _page(link=url_for("auth.reset", code=code, _external=True), link_for=name)


@pages.post("/users/<int:user_id>/role")
@role_required(Role.ADMIN)
def change_role(user_id: int) -> Response | tuple[str, int]:
    """Give an account another role, or close it, and say why. All its access ends.

    The last admin stays one.
    """
    wanted, active = request.form.get("role", ""), request.form.get("active", "yes") == "yes"
    reason = request.form.get("reason", "").strip()
    why = fault(Message("Reason"), reason, authority.REASON_LENGTH)
    if why is not None:
        return _page(message=why), 422
    if wanted not in list(Role):
        abort(422, Message("There is no such role."))
    with service().database.write() as session:
        by, user = _asker(session), session.get(User, user_id)
        if not authority.is_admin(by):
            abort(403)
        if user is None:
            abort(404, Message("There is no such account."))
        try:
            authority.change_role(session, by, user, Role(wanted), active, reason)
        except UsageError as error:
            abort(422, error.args[0])
    flash(translate("Saved."))
    return redirect(url_for("manage.show"), 303)


@pages.post("/submissions/<int:submission_id>/judge-again")
@role_required(Role.ADMIN)
def judge_again(submission_id: int) -> Response:
    """Send a submission that we failed on through the judge once more."""
    with service().database.write() as session:
        if not lost_submissions.judge_again(session, submission_id):
            abort(
                404,
                Message("There is no such submission, or it did not end in an error of the judge."),
            )
        row = session.get_one(Submission, submission_id)
        note(session, me().id, "judge again", f"{row.user.name}, {row.problem}", submission=row.id)
        notices.tell(
            session,
            row.user_id,
            "judged_again",
            notices.actor(me()),
            number=row.id,
            problem=row.problem,
        )
    service().queue.put(submission_id)
    flash(translate("Queued again."))
    return redirect(url_for("manage.show"), 303)


@pages.post("/submissions/<int:submission_id>/give-back")
@role_required(Role.ADMIN)
def give_back(submission_id: int) -> Response:
    """Give the attempt of a lost submission back to its learner, without judging it again."""
    with service().database.write() as session:
        if not lost_submissions.give_back(session, submission_id):
            abort(404, Message("There is no such submission, or it costs no attempt."))
        row = session.get_one(Submission, submission_id)
        note(
            session,
            me().id,
            "attempt given back",
            f"{row.user.name}, {row.problem}",
            submission=row.id,
        )
        notices.tell(
            session,
            row.user_id,
            "attempt_given_back",
            notices.actor(me()),
            number=row.id,
            problem=row.problem,
        )
    flash(translate("The attempt is given back."))
    return redirect(url_for("manage.show"), 303)
