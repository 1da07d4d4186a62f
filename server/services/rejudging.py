"""Rejudging as instructors see it: choose submissions, compare the new verdicts, apply or discard.

`server.services.rejudging_queue` is the worker's side.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select, update
from sqlalchemy.orm import Session, joinedload, load_only, undefer

from grader.errors import UsageError
from grader.problem import Problem
from server.lengths import checked
from server.messages import Message, counted
from server.models.accounts import Role, User
from server.models.base import now
from server.models.submissions import ProblemVersion, State, Submission
from server.models.teaching import Rejudge, Rejudgement, Revision
from server.services import accounts, authority, notices, statistics
from server.services.audit import note
from server.services.jobs import leases
from server.services.jobs.kinds import REJUDGEMENTS
from server.services.problems import publishing
from server.services.problems.bank import Bank
from server.services.tries import recount

MOST = 5000
LISTED = tuple(
    getattr(Submission, name)
    for name in "id user_id outcome score max_score submitted_at judged_at digest".split()
)
LARGE = (Rejudgement.verdict, Rejudgement.shown, Rejudgement.behaviour)
WHICH: dict[str, tuple[ColumnElement[bool], ...]] = {
    "all": (),
    "accepted": (Submission.outcome == statistics.ACCEPTED,),
    "not accepted": (Submission.outcome != statistics.ACCEPTED,),
    "not explained": (Submission.behaviour.is_not(None),),
}
CLOSED = {
    "applied": Message("This rejudge was applied already."),
    "discarded": Message("This rejudge was discarded already."),
}


class OutOfReach(UsageError):
    """A submission was sent by somebody whom the account does not teach."""


def may_rejudge(session: Session, bank: Bank, slug: str, user: User) -> bool:
    """Checks that a user may rejudge a problem.

    Shipped problems are for admins; one published here is for its publisher and admins.
    """
    if publishing.on_disk(bank, slug):
        return accounts.at_least(user.role, Role.ADMIN)
    return publishing.may_change(session, slug, user)


def candidates(
    session: Session, problem: Problem, which: str, older: bool, user: User, limit: int = MOST
) -> Sequence[Submission]:
    """Returns the judged submissions of a problem that this account may rejudge, the latest first.

    `older`: only those that another version judged.
    """
    query = select(Submission).where(
        Submission.problem == problem.slug, Submission.source != "", *statistics.counted
    )
    query = query.where(*authority.may_touch(user))
    query = query.options(load_only(*LISTED), joinedload(Submission.user))
    query = query.where(*WHICH.get(which, ()))
    if older:
        query = query.where(Submission.digest != problem.digest)
    return session.scalars(query.order_by(Submission.id.desc()).limit(limit)).all()


def begin(
    session: Session, problem: Problem, ids: Sequence[int], reason: str, user: User
) -> Rejudge:
    """Queues these submissions.

    Raises `UsageError` when there is none, no reason, or an open rejudge of the problem; and
    `OutOfReach` when one of them was sent by somebody whom this account does not teach.
    """
    if not reason.strip():
        raise UsageError(Message("Say why: the learners whose verdict changes will read it."))
    # two at once: the second waits here, and sees the first
    current = (ProblemVersion.slug == problem.slug, ProblemVersion.current)
    session.execute(select(ProblemVersion.slug).where(*current).with_for_update())
    is_open = (Rejudge.problem == problem.slug, Rejudge.state == "open")
    if session.scalar(select(Rejudge.id).where(*is_open)) is not None:
        raise UsageError(Message("A rejudge of this problem is open; apply or discard it first."))
    rows = _chosen(session, problem, ids, user)
    kept = checked(Message("Reason"), reason, 400)
    rejudge = Rejudge(problem=problem.slug, digest=problem.digest, reason=kept, asked_by=user.id)
    session.add(rejudge)
    session.flush()
    _queue(session, rejudge, rows)
    note(
        session,
        user.id,
        "rejudge",
        counted(
            "%(problem)s, %(num)s submission",
            "%(problem)s, %(num)s submissions",
            len(rows),
            problem=problem.slug,
        ),
        reason,
        digest=problem.digest,
        number=rejudge.id,
    )
    return rejudge


def _chosen(
    session: Session, problem: Problem, ids: Sequence[int], user: User
) -> Sequence[Submission]:
    chosen: Select[Submission] = select(Submission).where(
        Submission.id.in_(list(ids)[:MOST]),
        Submission.problem == problem.slug,
        Submission.source != "",
        *statistics.counted,
    )
    chosen = chosen.options(load_only(*LISTED))
    rows = session.scalars(chosen.where(*authority.may_touch(user))).all()
    if len(rows) < (session.scalar(select(func.count()).select_from(chosen.subquery())) or 0):
        raise OutOfReach(
            Message(
                "You judge again what learners of your own courses sent; an admin, what anyone"
                " sent."
            )
        )
    if not rows:
        raise UsageError(Message("Choose at least one submission."))
    return rows


def _queue(session: Session, rejudge: Rejudge, rows: Sequence[Submission]) -> None:
    """Queues one job for each submission, each in a round of its own."""
    first = leases.next_round(session, REJUDGEMENTS, rejudge.id)
    session.add_all(
        Rejudgement(
            rejudge_id=rejudge.id,
            submission_id=row.id,
            round=first + number,
            judged_at=row.judged_at,
            old_outcome=row.outcome,
            old_score=row.score or 0,
            old_max=row.max_score or 0,
        )
        for number, row in enumerate(rows)
    )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a rejudge is."""

    done: int
    total: int
    failed: int

    @property
    def ready(self) -> bool:
        """All judged: it may be applied."""
        return self.done == self.total


def progress(session: Session, rejudge_id: int) -> Progress:
    """Counts the jobs of a rejudge."""
    own = Rejudgement.rejudge_id == rejudge_id
    count = select(func.count()).select_from(Rejudgement)
    done, total = count.where(own, Rejudgement.state == State.DONE), count.where(own)
    failed = count.where(own, Rejudgement.state == State.DONE, Rejudgement.outcome.is_(None))
    return Progress(*(session.scalar(query) or 0 for query in (done, total, failed)))


def changes(session: Session, rejudge_id: int, user: User) -> Sequence[Rejudgement]:
    """Returns the jobs in this account's reach whose verdict or share of the points would change.

    4 of 4 points is the same share as 3 of 3.
    """
    query = select(Rejudgement).where(
        Rejudgement.rejudge_id == rejudge_id, Rejudgement.outcome.is_not(None), _differs()
    )
    query = query.join(Submission).where(*authority.may_touch(user))
    return session.scalars(query.order_by(Rejudgement.submission_id)).all()


def _differs() -> ColumnElement[bool]:
    share = Rejudgement.score * Rejudgement.old_max != Rejudgement.old_score * Rejudgement.max_score
    return or_(Rejudgement.outcome != Rejudgement.old_outcome, share)


def may_see(rejudge: Rejudge, user: User) -> bool:
    """Checks that a user may open a rejudge: it lists learners, so others' are for admins only."""
    return rejudge.asked_by == user.id or authority.is_admin(user)


def apply(session: Session, rejudge: Rejudge, user: User) -> int:
    """Replaces the old verdicts, which are kept as revisions; returns how many changed.

    A submission that left the account's reach since the rejudge began (its learner left the
    course) keeps its verdict. Raises `UsageError` when the rejudge is closed or not judged yet.
    """
    _require_open(rejudge)
    if not progress(session, rejudge.id).ready:
        raise UsageError(Message("Not everything is judged yet."))
    different = {row.id for row in changes(session, rejudge.id, user)}
    learners, revised = set[int](), Counter[int]()
    for row in session.scalars(_judged(rejudge, user)):
        submission = session.get_one(Submission, row.submission_id)
        if submission.judged_at != row.judged_at or submission.state != State.DONE:
            continue  # judged anew in between: that verdict is the later one
        if row.id in different:
            _keep(session, rejudge, submission)
            revised[submission.user_id] += 1
        _replace(submission, row, rejudge)
        learners.add(submission.user_id)
    session.flush()
    recount(session, ((learner, rejudge.problem) for learner in learners))
    _notify(session, rejudge, user, revised)
    _close(session, rejudge, "applied", user, revised.total())
    return revised.total()


def _require_open(rejudge: Rejudge) -> None:
    if rejudge.state != "open":
        raise UsageError(CLOSED[rejudge.state])


def _judged(rejudge: Rejudge, user: User) -> Select[Rejudgement]:
    judged = select(Rejudgement).where(
        Rejudgement.rejudge_id == rejudge.id, Rejudgement.outcome.is_not(None)
    )
    judged = judged.join(Submission).where(*authority.may_touch(user))
    return judged.options(*map(undefer, LARGE))


def _replace(submission: Submission, row: Rejudgement, rejudge: Rejudge) -> None:
    for name in ("outcome", "score", "max_score", "cpu_ms", "verdict", "shown", "behaviour"):
        setattr(submission, name, getattr(row, name))
    submission.digest, submission.judged_at = rejudge.digest, now()


def _notify(session: Session, rejudge: Rejudge, user: User, revised: Counter[int]) -> None:
    for learner, count in revised.items():
        values: dict[str, Any] = {
            "problem": rejudge.problem,
            "count": count,
            "reason": rejudge.reason,
        }
        notices.tell(session, learner, "revised", notices.actor(user), **values)


def _keep(session: Session, rejudge: Rejudge, row: Submission) -> None:
    old = {
        "outcome": row.outcome,
        "score": row.score,
        "max_score": row.max_score,
        "digest": row.digest,
        "verdict": row.verdict,
    }
    session.add(Revision(submission_id=row.id, rejudge_id=rejudge.id, reason=rejudge.reason, **old))


def discard(session: Session, rejudge: Rejudge, user: User) -> None:
    """Closes a rejudge without changes. Raises `UsageError` when it was closed already."""
    _require_open(rejudge)
    session.execute(
        update(Rejudgement)
        .where(Rejudgement.rejudge_id == rejudge.id, Rejudgement.state != State.DONE)
        .values(state=State.DONE, last_error="discarded")
    )
    _close(session, rejudge, "discarded", user, 0)


def _close(session: Session, rejudge: Rejudge, state: str, user: User, changed: int) -> None:
    rejudge.state, rejudge.closed_by, rejudge.closed_at = state, user.id, now()
    note(
        session,
        user.id,
        f"rejudge {state}",
        counted(
            "%(problem)s, %(num)s verdict changed",
            "%(problem)s, %(num)s verdicts changed",
            changed,
            problem=rejudge.problem,
        ),
        rejudge.reason,
        number=rejudge.id,
    )
