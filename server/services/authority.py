"""Who may do what to whom. docs/server.md has the whole table; here is what depends on who teaches
whom.
"""

from sqlalchemy import ColumnElement, Select, exists, func, select
from sqlalchemy.orm import Session, aliased

from grader.errors import UsageError
from server.lengths import checked
from server.messages import Message
from server.models.accounts import Role, User
from server.models.courses import Assignment, AssignmentProblem, Course, Member
from server.models.submissions import Submission
from server.services import accounts, notices
from server.services.accounts import at_least
from server.services.audit import note

REASON_LENGTH = 400


def is_admin(user: User) -> bool:
    """Checks whether everything is open to this account."""
    return at_least(user.role, Role.ADMIN)


def learners_of(teacher_id: int) -> Select[int]:
    """The numbers of the learners in the courses that somebody teaches, archived ones left out."""
    teaches, learns = aliased(Member), aliased(Member)
    return (
        select(learns.user_id)
        .join(Course, (Course.id == learns.course_id) & Course.archived.is_(False))
        .join(teaches, (teaches.course_id == learns.course_id) & teaches.teaches)
        .where(teaches.user_id == teacher_id, learns.teaches.is_(False))
    )


def may_make_link(session: Session, maker: User, person: User) -> bool:
    """An admin for anyone; an instructor for learners of their own courses only, never for an
    instructor or admin.
    """
    if not maker.active or not person.active:
        return False
    if is_admin(maker):
        return True
    if maker.role != Role.INSTRUCTOR or person.role != Role.LEARNER:
        return False
    theirs = select(User.id).where(User.id == person.id, User.id.in_(learners_of(maker.id)))
    return session.scalar(theirs) is not None


def change_role(
    session: Session, by: User | None, user: User, role: Role, active: bool, reason: str
) -> None:
    """Gives an account another role, or closes or opens it: all its access ends, its person is
    told, and the audit log has the reason. `by` is None on the command line.

    Raises `UsageError` for the last admin, and when there is no reason, or one that cannot be
    stored.
    """
    reason = checked(Message("Reason"), reason, REASON_LENGTH)
    others = (User.role == Role.ADMIN, User.active, User.id != user.id)
    admins = session.scalar(select(func.count()).select_from(User).where(*others))
    if not admins and is_admin(user) and (role is not Role.ADMIN or not active):
        raise UsageError(Message("This is the last admin; make another one first."))
    before = Role(user.role), user.active
    if before == (role, active):
        return
    if not reason:
        raise UsageError(Message("Say why; the audit log keeps it."))
    maker, actor = None if by is None else by.id, notices.actor(by)
    note(session, maker, "role", user.name, reason, was=user.role, role=role, active=active)
    if before[0] is not role:
        notices.tell(session, user.id, "role", actor, was=user.role, role=role, reason=reason)
    if before[1] != active:
        notices.tell(session, user.id, "reopened" if active else "closed", actor, reason=reason)
    accounts.set_role(session, user, role, active)


def sent_to(teacher_id: int) -> ColumnElement[bool]:
    """Of a row of submissions: a learner of this teacher sent it to a problem of an assignment,
    after that opened.
    """
    teaches, learns = aliased(Member), aliased(Member)
    return exists(
        select(Assignment.id)
        .join(AssignmentProblem, AssignmentProblem.assignment_id == Assignment.id)
        .join(teaches, teaches.course_id == Assignment.course_id)
        .join(learns, learns.course_id == Assignment.course_id)
        .where(teaches.user_id == teacher_id, teaches.teaches)
        .where(learns.user_id == Submission.user_id, learns.teaches.is_(False))
        .where(
            AssignmentProblem.slug == Submission.problem,
            Assignment.opens_at <= Submission.submitted_at,
        )
        .correlate(Submission)
    )


def may_touch(user: User) -> tuple[ColumnElement[bool], ...]:
    """Conditions on submissions: those of others that an account may list and judge again."""
    return () if is_admin(user) else (sent_to(user.id),)
