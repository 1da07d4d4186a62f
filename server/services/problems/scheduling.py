"""Publishes a draft at a time chosen before: what verify found fit then, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.errors import GradeError, UsageError
from grader.problem import Problem
from server.lengths import checked
from server.messages import Message, sentence
from server.models.accounts import Role, User
from server.models.database import Database, clock
from server.models.teaching import Draft, Schedule
from server.services import accounts, notices
from server.services.audit import note as audit
from server.services.problems import audiences, files, publishing, verification
from server.services.problems.bank import Bank
from server.services.problems.published import NOTE_LENGTH

LAST_YEAR = 9998  # a time zone carries a later moment over the end of the calendar


@dataclass(frozen=True, slots=True)
class Plan:
    """When a draft is published, what is said of the version, and the courses that get it: none
    for everybody. `zone` is the one in which pages show the moment.
    """

    at: datetime
    note: str
    courses: tuple[int, ...] = ()
    zone: str = "UTC"


def schedule(session: Session, draft: Draft, bank: Bank, user: User, plan: Plan) -> Schedule:
    """Stores when a draft is published; the files are those that it has now.

    Raises `UsageError`.
    """
    why = publishing.trouble(session, draft, bank, user)
    if why:
        raise UsageError(why)
    if verification.fit_run(session, draft) is None:
        raise UsageError(
            Message("What verify has not found fit cannot be published.", code="not_verified")
        )
    if plan.at <= clock(session) or plan.at.year > LAST_YEAR:
        raise UsageError(Message("Choose a time to come.", code="time_not_in_future"))
    note = checked(Message("Note"), plan.note, NOTE_LENGTH)
    courses = sorted(audiences.check(session, draft.slug, plan.courses, user))
    row = Schedule(draft_id=draft.id, tree=files.tree_hash(draft.files), at=plan.at, by=user.id)
    row.note, row.courses, row.zone = note, courses, plan.zone
    stored = session.merge(row)
    due = f"{plan.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    audit(session, user.id, "schedule", draft.slug, due=due)
    return stored


def cancel(session: Session, draft: Draft, user: User) -> None:
    """Takes a schedule back; nothing happens where there is none."""
    row = session.get(Schedule, draft.id)
    if row is not None:
        session.delete(row)
        audit(session, user.id, "schedule", draft.slug, due=None)


@dataclass(frozen=True, slots=True)
class Done:
    """A version that came out: of which problem, what it replaced, and who had scheduled it."""

    slug: str
    before: Problem | None
    user: User


def publish_due(database: Database, bank: Bank) -> Iterator[Done]:
    """Publishes what is due, and yields each new version."""
    with database.read() as session:
        due = session.scalars(
            select(Schedule.draft_id).where(Schedule.at <= clock(session)).order_by(Schedule.at)
        ).all()
    for number in due:
        with database.write() as session:
            row = session.get(Schedule, number, with_for_update={"skip_locked": True})
            done = _publish(session, row, bank) if row is not None else None
        if done is not None:
            yield done


def _publish(session: Session, row: Schedule, bank: Bank) -> Done | None:
    """Publishes one draft, or tells its owner why not."""
    draft, user = session.get_one(Draft, row.draft_id), session.get_one(User, row.by)
    session.delete(row)
    session.flush()
    before = bank.get(draft.slug)
    try:
        if not (user.active and accounts.at_least(user.role, Role.INSTRUCTOR)):
            raise UsageError(Message("Whoever scheduled it may not publish any more."))
        if files.tree_hash(draft.files) != row.tree:
            raise UsageError(Message("The draft has changed since it was scheduled."))
        publishing.publish(session, draft, bank, user, row.note, row.courses)
    except GradeError as error:
        by, why = notices.OPERATOR, sentence(error)
        notices.tell(session, draft.owner_id, "not_published", by, problem=draft.slug, reason=why)
        return None
    return Done(draft.slug, before, user)
