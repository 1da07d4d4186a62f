"""Judging submissions again, against the version in use, beside the verdicts they have: what would
change, then apply or discard.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.orm import Session, joinedload, load_only, undefer

from grader import model
from grader.errors import ProblemError, RoomError, UsageError
from grader.model import Framework, Outcome
from grader.problem import Problem
from grader.sandbox import Sandbox
from server.messages import Message, counted
from server.models.accounts import Role, User
from server.models.base import now
from server.models.database import Database, clock
from server.models.submissions import State, Submission
from server.models.teaching import Rejudge, Rejudgement, Revision
from server.services import accounts, authority, notices, statistics
from server.services.audit import note
from server.services.lease import renewed
from server.services.problems import publishing
from server.services.problems.bank import Bank
from server.services.rendering import display_limits, samples
from server.services.tries import recount

MOST = 5000
LEASE_S, RENEW_S = 30.0, 8.0
ATTEMPTS = 3
LISTED = tuple(
    getattr(Submission, name)
    for name in "id user_id outcome score max_score submitted_at judged_at digest".split()
)
WHICH = ("all", "accepted", "not accepted")
CLOSED = {
    "applied": Message("This rejudge was applied already."),
    "discarded": Message("This rejudge was discarded already."),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A submission to judge once more, with what is needed for it."""

    id: int
    attempt: int
    failures: int
    problem: str
    digest: str
    framework: Framework
    source: str


class OutOfReach(UsageError):
    """A submission of somebody whom the account does not teach."""


def may_rejudge(session: Session, bank: Bank, slug: str, user: User) -> bool:
    """A problem that was shipped is for admins; one published here for its publisher and admins."""
    if publishing.on_disk(bank, slug):
        return accounts.at_least(user.role, Role.ADMIN)
    return publishing.may_change(session, slug, user)


def candidates(
    session: Session, problem: Problem, which: str, older: bool, user: User, limit: int = MOST
) -> Sequence[Submission]:
    """Judged submissions of a problem that this account may judge again, the latest first; `older`:
    only those that another version judged.
    """
    query = select(Submission).where(
        Submission.problem == problem.slug, Submission.source != "", *statistics.counted
    )
    query = query.where(*authority.may_touch(user))
    query = query.options(load_only(*LISTED), joinedload(Submission.user))
    if which == "accepted":
        query = query.where(Submission.outcome == statistics.ACCEPTED)
    elif which == "not accepted":
        query = query.where(Submission.outcome != statistics.ACCEPTED)
    if older:
        query = query.where(Submission.digest != problem.digest)
    return session.scalars(query.order_by(Submission.id.desc()).limit(limit)).all()


def begin(
    session: Session, problem: Problem, ids: Sequence[int], reason: str, user: User
) -> Rejudge:
    """Queue these submissions. Raises `UsageError` when there is none, no reason, or a rejudge of
    the problem is open; and `OutOfReach` when one of them was sent by somebody whom this account
    does not teach.
    """
    if not reason.strip():
        raise UsageError(Message("Say why: the learners whose verdict changes will read it."))
    if (
        session.scalar(
            select(Rejudge.id).where(Rejudge.problem == problem.slug, Rejudge.state == "open")
        )
        is not None
    ):
        raise UsageError(Message("A rejudge of this problem is open; apply or discard it first."))
    asked = select(Submission).where(
        Submission.id.in_(list(ids)[:MOST]), Submission.problem == problem.slug
    )
    asked = asked.where(Submission.source != "", *statistics.counted).options(load_only(*LISTED))
    rows = session.scalars(asked.where(*authority.may_touch(user))).all()
    if len(rows) < (session.scalar(select(func.count()).select_from(asked.subquery())) or 0):
        raise OutOfReach(
            Message(
                "You judge again what learners of your own courses sent; an admin, what anyone sent."
            )
        )
    if not rows:
        raise UsageError(Message("Choose at least one submission."))
    rejudge = Rejudge(
        problem=problem.slug, digest=problem.digest, reason=reason.strip()[:400], asked_by=user.id
    )
    session.add(rejudge)
    session.flush()
    for row in rows:
        old = {
            "judged_at": row.judged_at,
            "old_outcome": row.outcome,
            "old_score": row.score or 0,
            "old_max": row.max_score or 0,
        }
        session.add(Rejudgement(rejudge_id=rejudge.id, submission_id=row.id, **old))
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
    """Counts of a rejudge."""
    own = Rejudgement.rejudge_id == rejudge_id
    count = select(func.count()).select_from(Rejudgement)
    done, total = count.where(own, Rejudgement.state == State.DONE), count.where(own)
    failed = count.where(own, Rejudgement.state == State.DONE, Rejudgement.outcome.is_(None))
    return Progress(*(session.scalar(query) or 0 for query in (done, total, failed)))


def changes(session: Session, rejudge_id: int, user: User) -> Sequence[Rejudgement]:
    """Those in this account's reach whose verdict, or share of the points, would change: 4 of 4 is
    what 3 of 3 was.
    """
    share = Rejudgement.score * Rejudgement.old_max != Rejudgement.old_score * Rejudgement.max_score
    differs = or_(Rejudgement.outcome != Rejudgement.old_outcome, share)
    query = select(Rejudgement).where(
        Rejudgement.rejudge_id == rejudge_id, Rejudgement.outcome.is_not(None), differs
    )
    query = query.join(Submission).where(*authority.may_touch(user))
    return session.scalars(query.order_by(Rejudgement.submission_id)).all()


def may_see(rejudge: Rejudge, user: User) -> bool:
    """A rejudge lists learners: only an admin opens one that somebody else began."""
    return rejudge.asked_by == user.id or authority.is_admin(user)


def apply(session: Session, rejudge: Rejudge, user: User) -> int:
    """Put the new verdicts in the place of the old, which are kept as revisions; the number of
    submissions. Raises `UsageError`.

    What has gone out of the account's reach since the rejudge began (a learner left the course)
    stays as it is.
    """
    if rejudge.state != "open":
        raise UsageError(CLOSED[rejudge.state])
    if not progress(session, rejudge.id).ready:
        raise UsageError(Message("Not everything is judged yet."))
    judged = select(Rejudgement).where(
        Rejudgement.rejudge_id == rejudge.id, Rejudgement.outcome.is_not(None)
    )
    judged = judged.join(Submission).where(*authority.may_touch(user))
    seen, learners, revised = (
        {row.id for row in changes(session, rejudge.id, user)},
        set[int](),
        Counter[int](),
    )
    for row in session.scalars(
        judged.options(undefer(Rejudgement.verdict), undefer(Rejudgement.shown))
    ):
        submission = session.get_one(Submission, row.submission_id)
        if submission.judged_at != row.judged_at or submission.state != State.DONE:
            continue  # judged anew in between: that verdict is the later one
        if row.id in seen:
            _keep(session, rejudge, submission)
            revised[submission.user_id] += 1
        submission.outcome, submission.score, submission.max_score = (
            row.outcome,
            row.score,
            row.max_score,
        )
        submission.cpu_ms, submission.verdict, submission.shown = row.cpu_ms, row.verdict, row.shown
        submission.digest, submission.judged_at = rejudge.digest, now()
        learners.add(submission.user_id)
    session.flush()
    recount(session, ((learner, rejudge.problem) for learner in learners))
    for learner, count in revised.items():
        told: dict[str, Any] = {
            "problem": rejudge.problem,
            "count": count,
            "reason": rejudge.reason,
        }
        notices.tell(session, learner, "revised", notices.actor(user), **told)
    _close(session, rejudge, "applied", user, revised.total())
    return revised.total()


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
    """Leave every verdict as it is. Raises `UsageError` when it was closed already."""
    if rejudge.state != "open":
        raise UsageError(CLOSED[rejudge.state])
    session.execute(
        update(Rejudgement)
        .where(Rejudgement.rejudge_id == rejudge.id, Rejudgement.state != State.DONE)
        .values(state=State.DONE, trouble="discarded")
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


def revisions(session: Session, submission_id: int) -> Sequence[Revision]:
    """What a verdict was before, the latest first."""
    return session.scalars(
        select(Revision).where(Revision.submission_id == submission_id).order_by(Revision.id.desc())
    ).all()


# -------------------------------------------------------------------------------------------------------------
# the worker's side


def _free(moment: datetime) -> ColumnElement[bool]:
    return or_(
        Rejudgement.state == State.QUEUED,
        (Rejudgement.state == State.RUNNING) & (Rejudgement.lease_until < moment),
    )


def waiting(database: Database) -> bool:
    """Whether there is anything to take up."""
    with database.read() as session:
        return (
            session.scalar(select(Rejudgement.id).where(_free(clock(session))).limit(1)) is not None
        )


def claim(database: Database, owner: str) -> Claim | None:
    """Take up the next submission."""
    with database.write() as session:
        moment = clock(session)
        free = select(Rejudgement).where(_free(moment)).order_by(Rejudgement.id).limit(1)
        row = session.scalar(free.with_for_update(skip_locked=True))
        if row is None:
            return None
        row.failures += row.state == State.RUNNING
        row.state, row.attempt, row.lease_owner = State.RUNNING, row.attempt + 1, owner
        row.lease_until = moment + timedelta(seconds=LEASE_S)
        rejudge, submission = session.get_one(Rejudge, row.rejudge_id), row.submission
        about = (
            rejudge.problem,
            rejudge.digest,
            Framework(submission.framework),
            submission.source,
        )
        return Claim(row.id, row.attempt, row.failures, *about)


def carry_out(
    database: Database,
    claimed: Claim,
    bank: Bank,
    room: Sandbox,
    judge: Callable[..., Any],
    seed: int,
) -> None:
    """Judge it and write the verdict beside the old one; after `ATTEMPTS` failures of ours there is
    none, and the old one stays.
    """
    try:
        if not claimed.source:
            raise UsageError("the source of this submission is no longer kept")
        problem = _version(bank, claimed)
        with renewed(lambda: _renew(database, claimed), RENEW_S):
            sent = model.Submission(claimed.framework, claimed.source)
            verdict = judge(problem, sent, room, seed=seed, samples_only=False, on_case=_nobody)
        if verdict.verdict is Outcome.JUDGE_ERROR:
            raise ProblemError(verdict.message)
    except RoomError:
        _write(database, claimed, {"state": State.QUEUED})
        raise
    # a defect of the judge is ours as well, and must not stop the others
    except Exception as error:
        over = claimed.failures + 1 >= ATTEMPTS or isinstance(error, UsageError)
        state = State.DONE if over else State.QUEUED
        _write(
            database,
            claimed,
            {
                "state": state,
                "failures": claimed.failures + 1,
                "trouble": f"{type(error).__name__}: {error}"[:2000],
            },
        )
        return
    values = {
        "outcome": str(verdict.verdict),
        "score": verdict.score,
        "max_score": verdict.max_score,
        "message": verdict.message[:2000],
    }
    values |= {"cpu_ms": verdict.cpu_ms, "verdict": verdict.to_json(), "trouble": None}
    _write(
        database,
        claimed,
        values
        | {
            "shown": display_limits.within(samples.shown_data(problem, verdict.cases)),
            "state": State.DONE,
        },
    )


def _renew(database: Database, claimed: Claim) -> None:
    with database.read() as session:
        until = clock(session) + timedelta(seconds=LEASE_S)
    _write(database, claimed, {"lease_until": until})


def _nobody(result: object) -> None:
    """Nobody watches case by case."""


def _version(bank: Bank, claimed: Claim) -> Problem:
    """The version that the rejudge is against, also when another is in use by now.

    Raises `UsageError` when it is gone.
    """
    found = bank.get(claimed.problem)
    if found is not None and found.digest == claimed.digest:
        return found
    if bank.shelf is None:
        raise UsageError("the version that this rejudge is against is gone")
    return bank.shelf.load(claimed.problem, claimed.digest)


def _write(database: Database, claimed: Claim, values: dict[str, Any]) -> None:
    held = (
        Rejudgement.id == claimed.id,
        Rejudgement.state == State.RUNNING,
        Rejudgement.attempt == claimed.attempt,
    )
    with database.write() as session:
        session.execute(update(Rejudgement).where(*held).values(values))


def owners(session: Session) -> list[str]:
    """Who holds a submission."""
    held = select(Rejudgement.lease_owner).where(Rejudgement.state == State.RUNNING).distinct()
    return [owner for owner in session.scalars(held) if owner]


def give_back(session: Session, dead: list[str]) -> None:
    """Queue what workers that are gone had taken."""
    lost = (Rejudgement.state == State.RUNNING, Rejudgement.lease_owner.in_(dead))
    session.execute(
        update(Rejudgement)
        .where(*lost)
        .values(state=State.QUEUED, failures=Rejudgement.failures + 1)
    )
