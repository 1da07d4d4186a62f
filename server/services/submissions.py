"""Submissions in the database: accepted, claimed, judged, swept. Every function is one transaction
or a part of one.

The row is the truth. A claim counts `attempt` up, and whoever writes later must name the attempt it
was given: a worker that was thought dead can no longer change anything (docs/server.md, "Leases and
fencing").
"""

import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, cast

from sqlalchemy import (
    CursorResult,
    Row,
    String,
    Table,
    Update,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy import cast as sql_cast
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningUpdate

from grader.errors import SubmissionError
from grader.model import Framework, Outcome, Verdict
from grader.problem import Problem
from server.messages import Message
from server.models.database import Database, clock, later
from server.models.submissions import State, Submission, WorkerSeen
from server.services import rounds
from server.services.tries import count

ATTEMPTS = 3  # failures of ours before a submission ends in judge_error
TRIES = 5  # at a claim, when others take what was chosen in between
# Of a row: the judge failed on it until the end, which its learner may have brought about. It
# counts as an attempt until an operator has looked; a broken problem (no failure of ours) does not.
lost = and_(Submission.outcome == str(Outcome.JUDGE_ERROR), Submission.failures >= ATTEMPTS)
JUDGED = "judged"  # PostgreSQL's channel that says which submission has changed


@dataclass(frozen=True, slots=True)
class Claim:
    """A submission that this worker, and only this worker, is to judge now."""

    id: int
    attempt: int
    user_id: int
    problem: str
    framework: Framework
    source: str
    trial: bool
    failures: int
    submitted_at: datetime
    waited_ms: float


def read_source(data: str | bytes, limit: int) -> str:
    """A learner's source as text. Raises `SubmissionError` when it is empty, too long, or no text."""
    if isinstance(data, bytes):
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise SubmissionError(
                Message(
                    "The file is not UTF-8 text (byte %(byte)s). Save it as UTF-8 and send it again.",
                    byte=str(error.start),
                )
            ) from None
    else:
        text = data
    text = text.replace("\r\n", "\n")
    if not text.strip():
        raise SubmissionError(Message("There is no source: the submission is empty."))
    if "\0" in text:
        raise SubmissionError(
            Message(
                "Line %(line)s has a NUL character. Is this a Python file?",
                line=str(text[: text.index("\0")].count("\n") + 1),
            )
        )
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise SubmissionError(
            Message(
                "The source has half a character (a lone surrogate); it cannot be written as UTF-8."
            )
        ) from None
    if size > limit:
        raise SubmissionError(
            Message(
                "The source has %(size)s bytes; at most %(most)s are accepted.",
                size=size,
                most=limit,
            )
        )
    return text


def read_framework(problem: Problem, name: str) -> Framework:
    """The framework of that name. Raises `SubmissionError` when the problem has no such version."""
    known = [str(f) for f in problem.frameworks]
    if name not in known:
        raise SubmissionError(
            Message(
                "'%(name)s' is no framework of this problem; choose from: %(known)s.",
                name=name[:40],
                known=", ".join(known),
            )
        )
    return Framework(name)


def submit(
    session: Session,
    user_id: int,
    problem: Problem,
    framework: Framework,
    source: str,
    *,
    trial: bool = False,
    once: str | None = None,
) -> tuple[Submission, bool]:
    """Write the row, or find the one that the same form already made: (row, whether it is new)."""
    same = select(Submission).where(Submission.user_id == user_id, Submission.once == once)
    earlier = session.scalar(same) if once is not None else None
    if earlier is not None:
        return earlier, False
    about: dict[str, Any] = {
        "problem": problem.slug,
        "digest": problem.digest,
        "framework": framework,
    }
    about |= {
        "turn": session.scalar(rounds.TURN, {"b_user": user_id}),
        "submitted_at": clock(session),
    }
    row = Submission(user_id=user_id, source=source, trial=trial, once=once, **about)
    if once is None:
        session.add(row)
        session.flush()
        return row, True
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:  # PostgreSQL: the same form, sent twice at the same moment
        return session.scalars(same).one(), False
    return row, True


def known(session: Session, user_id: int, once: str) -> bool:
    """Whether the form of that key has made its row already."""
    return (
        session.scalar(
            select(Submission.id).where(Submission.user_id == user_id, Submission.once == once)
        )
        is not None
    )


def own(session: Session, user_id: int, submission_id: int) -> Submission | None:
    """A learner's own submission; None for another's, as if it were not there."""
    return session.scalar(
        select(Submission).where(Submission.id == submission_id, Submission.user_id == user_id)
    )


# -------------------------------------------------------------------------------------------------------------
# the worker's side


def claim(database: Database, owner: str, lease: float) -> Claim | None:
    """Take up the next submission: one a learner at a time, in the order of their turns."""
    for _ in range(TRIES):
        # to look must not keep others from writing
        if database.one_writer and not waiting(database):
            return None
        try:
            with database.write() as session:
                row = session.execute(rounds.TAKE, {"owner": owner, "lease": lease}).one_or_none()
        except IntegrityError:  # PostgreSQL: another worker began on the same learner in between
            continue
        return None if row is None else _claimed(row)
    return None


def _claimed(row: Row[Any]) -> Claim:
    values = row._asdict()
    waited = values.pop("moment") - row.submitted_at
    return Claim(
        **values
        | {
            "framework": Framework(row.framework),
            "waited_ms": waited.total_seconds() * 1000,
        }
    )


def waiting(database: Database) -> bool:
    """Whether a submission could be taken up now."""
    with database.read() as session:
        return session.scalar(rounds.ANY) is not None


def due(database: Database) -> list[int]:
    """Submissions that could be taken up now, the next one first; at most a hundred."""
    with database.read() as session:
        return list(session.scalars(rounds.DUE))


def next_of(database: Database, user_id: int) -> int | None:
    """The next submission of one learner that waits."""
    with database.read() as session:
        return session.scalar(_NEXT_OF, {"b_user": user_id})


_table = cast(Table, Submission.__table__)
# Written once: building a statement costs more than running it.
_NEXT_OF = (
    select(_table.c.id)
    .where(_table.c.user_id == bindparam("b_user"), _table.c.state == State.QUEUED)
    .order_by(_table.c.id)
    .limit(1)
)
_HELD = update(_table).where(
    _table.c.id == bindparam("b_id"),
    _table.c.state == State.RUNNING,
    _table.c.attempt == bindparam("b_attempt"),
)
_FINISHED = _HELD.values(judged_at=later(0))
_PUT_BACK = _HELD.values(not_before=later(bindparam("pause")))


def renew(database: Database, owner: str, claims: Sequence[int], lease: float) -> None:
    """Say that these submissions are still being judged here."""
    if claims:
        with database.write() as session:
            mine = and_(
                Submission.id.in_(claims),
                Submission.lease_owner == owner,
                Submission.state == State.RUNNING,
            )
            session.execute(
                update(Submission)
                .where(mine)
                .values(lease_until=clock(session) + timedelta(seconds=lease))
            )


def note_progress(database: Database, claimed: Claim, progress: list[dict[str, Any]]) -> bool:
    """Store the cases judged so far; False when the claim is lost."""
    with database.write() as session:
        return _changed(session, claimed, _HELD, {"progress": progress})


def finish(
    database: Database,
    claimed: Claim,
    verdict: Verdict,
    shown: dict[str, Any],
    trouble: str | None = None,
    failures: int | None = None,
) -> bool:
    """Store the verdict, once; False when the claim is lost and nothing was written.

    `failures`: of ours, with the last one.
    """
    values: dict[str, Any] = {
        "state": State.DONE,
        "digest": verdict.digest,
        "outcome": str(verdict.verdict),
        "score": verdict.score,
        "max_score": verdict.max_score,
        "cpu_ms": verdict.cpu_ms,
        "verdict": verdict.to_json(),
        "shown": shown,
        "trouble": trouble,
        **({} if failures is None else {"failures": failures}),
    }
    with database.write() as session:
        kept = _changed(session, claimed, _FINISHED, values | _LEFT)
        if kept and not claimed.trial:
            count(
                session,
                claimed.user_id,
                claimed.problem,
                values["outcome"],
                claimed.submitted_at,
                values["cpu_ms"],
            )
        return kept


def put_back(
    database: Database, claimed: Claim, trouble: str, pause: float, *, counts: bool = True
) -> bool:
    """Queue it again, after a failure of ours when it `counts`."""
    values = {
        **_BACK,
        "failures": claimed.failures + int(counts),
        "trouble": trouble,
        "pause": pause,
    }
    with database.write() as session:
        return _changed(session, claimed, _PUT_BACK, values)


def sweep(database: Database, owner: str, trial_keep: float) -> int:
    """Queue again what a dead worker left running, remove old sample runs; the number of rows
    queued.
    """
    dead = _dead(database, owner)
    with database.read() as session:
        moment = clock(session)
        lost = (
            Submission.state == State.RUNNING,
            or_(Submission.lease_until < moment, Submission.lease_owner.in_(dead)),
        )
        old = (
            Submission.trial,
            Submission.state == State.DONE,
            Submission.judged_at < moment - timedelta(seconds=trial_keep),
        )
        if all(
            session.scalar(select(Submission.id).where(*which).limit(1)) is None
            for which in (lost, old)
        ):
            return 0
    with database.write() as session:
        session.execute(delete(Submission).where(*old))
        values = {
            **_BACK,
            "failures": Submission.failures + 1,
            "trouble": "the worker that had it is gone",
        }
        return _count(session, update(Submission).where(*lost).values(values))


def judge_again(session: Session, submission_id: int) -> bool:
    """An operator sends a submission that ended in judge_error through the judge once more."""
    ended = [
        Submission.id == submission_id,
        Submission.state == State.DONE,
        Submission.outcome == str(Outcome.JUDGE_ERROR),
    ]
    values = {
        **_BACK,
        "failures": 0,
        "not_before": None,
        "outcome": None,
        "verdict": None,
        "judged_at": None,
    }
    values["turn"] = rounds.SERVED
    return _count(session, update(Submission).where(*ended).values(values)) == 1


def give_back(session: Session, submission_id: int) -> bool:
    """An operator gives the attempt of a lost submission back: it counts for nothing any more."""
    gone_wrong = (Submission.id == submission_id, Submission.state == State.DONE, lost)
    return _count(session, update(Submission).where(*gone_wrong).values(failures=0)) == 1


def sign_of_life(
    database: Database, owner: str, room: str, trouble: str, numbers: dict[str, Any], forget: float
) -> None:
    """Write that this process judges, and how its room is, and what it has counted; forget
    processes that have been silent for long.
    """
    with database.write() as session:
        moment = clock(session)
        session.merge(
            WorkerSeen(owner=owner, seen_at=moment, room=room, trouble=trouble, numbers=numbers)
        )
        session.execute(
            delete(WorkerSeen).where(WorkerSeen.seen_at < moment - timedelta(seconds=forget))
        )


def sign_off(database: Database, owner: str) -> None:
    """This process judges no longer."""
    with database.write() as session:
        session.execute(delete(WorkerSeen).where(WorkerSeen.owner == owner))


def process_name(nonce: str) -> str:
    """The name under which this process holds leases: host, process id and a nonce."""
    return f"{socket.gethostname()[:60]}:{os.getpid()}:{nonce}"


_LEFT: dict[str, Any] = {"lease_owner": None, "lease_until": None, "progress": None}
_BACK: dict[str, Any] = {"state": State.QUEUED, **_LEFT}


def _changed(session: Session, claimed: Claim, statement: Update, values: dict[str, Any]) -> bool:
    """Change what this claim holds, and tell every process that somebody may be waiting for it;
    False when the claim is lost.
    """
    values |= {"b_id": claimed.id, "b_attempt": claimed.attempt}
    if session.get_bind().dialect.name == "postgresql":
        return session.execute(_telling(statement), values).one_or_none() is not None
    return _count(session, statement, values) == 1


@cache
def _telling(statement: Update) -> ReturningUpdate[Any]:
    return statement.returning(func.pg_notify(JUDGED, sql_cast(_table.c.id, String)))


def _dead(database: Database, owner: str) -> list[str]:
    """Holders of leases that ran on this host and are gone: no need to wait for their lease to end."""
    with database.read() as session:
        owners = session.scalars(
            select(Submission.lease_owner).where(Submission.state == State.RUNNING).distinct()
        ).all()
    return gone([other for other in owners if other is not None], owner)


def gone(owners: Sequence[str], owner: str) -> list[str]:
    """Those of `owners` that are processes of this host (`owner`'s) and no longer run."""
    host, pid, _ = owner.rsplit(":", 2)
    dead = []
    for other in owners:
        if other == owner or other.rsplit(":", 2)[0] != host:
            continue
        other_pid = other.rsplit(":", 2)[1]
        if other_pid == pid or not _alive(int(other_pid)):
            dead.append(other)
    return dead


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _count(session: Session, statement: Any, values: dict[str, Any] | None = None) -> int:
    return cast(CursorResult[Any], session.execute(statement, values)).rowcount
