"""Verifications as instructors request and see them.

`server.services.problems.verification_queue` is the worker's side.
"""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.messages import Message
from server.models.submissions import State
from server.models.teaching import Draft, VerifyRun
from server.services.jobs import leases
from server.services.jobs.kinds import VERIFICATIONS
from server.services.problems import files

MOST_WAITING = 3  # runs of one instructor that wait or run


def ask(session: Session, draft: Draft, by: int) -> VerifyRun:
    """Queues a run for the draft as it is, or returns the one that waits.

    Raises `UsageError` when too many wait already.
    """
    tree = files.tree_hash(draft.files)
    same = select(VerifyRun).where(
        VerifyRun.draft_id == draft.id, VerifyRun.tree == tree, VerifyRun.state != State.DONE
    )
    waiting = session.scalar(same)
    if waiting is not None:
        return waiting
    held = session.scalars(
        select(VerifyRun.id).where(VerifyRun.asked_by == by, VerifyRun.state != State.DONE)
    ).all()
    if len(held) >= MOST_WAITING:
        raise UsageError(
            Message(
                "%(count)s of your verifications are not done yet; wait for one of them",
                code="too_many_verifications",
                count=MOST_WAITING,
            )
        )
    run = VerifyRun(
        draft_id=draft.id,
        slug=draft.slug,
        tree=tree,
        files=dict(draft.files),
        asked_by=by,
        round=leases.next_round(session, VERIFICATIONS, by),
    )
    session.add(run)
    session.flush()
    return run


def last(session: Session, draft: Draft) -> VerifyRun | None:
    """Returns the latest run of a draft, whatever its files were."""
    return session.scalar(
        select(VerifyRun)
        .where(VerifyRun.draft_id == draft.id)
        .order_by(VerifyRun.id.desc())
        .limit(1)
    )


def samples(run: VerifyRun | None) -> dict[str, Any]:
    """Returns the samples of a run by name, as `rendering.samples.sample_data` makes them."""
    report = (run.report if run is not None else None) or {}
    return {sample["name"]: sample for sample in report.get("samples", [])}


def fit_run(session: Session, draft: Draft) -> VerifyRun | None:
    """Returns a run that found exactly these files publishable."""
    fit = (
        VerifyRun.draft_id == draft.id,
        VerifyRun.tree == files.tree_hash(draft.files),
        VerifyRun.fit.is_(True),
    )
    return session.scalar(select(VerifyRun).where(*fit).order_by(VerifyRun.id.desc()).limit(1))
