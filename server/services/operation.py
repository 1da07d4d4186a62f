"""How the judge does at the moment, for whoever operates it: queue, workers, disk, failures."""

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from grader.model import Outcome
from server.models.database import clock
from server.models.submissions import State, Submission, WorkerSeen

SILENT = timedelta(seconds=15)
LATELY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Health:
    """The figures of one line."""

    queued: int
    oldest_s: int  # since the first of them was sent
    workers: int  # that gave a sign of life
    rooms: int  # of them, with a room that is ready
    free_bytes: int
    total_bytes: int
    failures: int  # of the judge, within a day
    failed_at: datetime | None


def health(session: Session, folder: Path) -> Health:
    """Returns the figures; the disk is the one that has, or would have, `folder`."""
    moment = clock(session)
    queued, first = session.execute(
        select(func.count(), func.min(Submission.submitted_at)).where(
            Submission.state == State.QUEUED
        )
    ).one()
    alive = select(WorkerSeen.room).where(WorkerSeen.seen_at > moment - SILENT)
    rooms = session.scalars(alive).all()
    failed = Submission.outcome == str(Outcome.JUDGE_ERROR), Submission.judged_at.is_not(None)
    last = select(func.max(Submission.judged_at)).where(*failed)
    lately = select(func.count()).where(*failed, Submission.judged_at > moment - LATELY)
    there = (path for path in (folder, *folder.resolve().parents) if path.exists())
    disk = shutil.disk_usage(next(there))
    return Health(
        queued=queued,
        oldest_s=int((moment - first).total_seconds()) if first else 0,
        workers=len(rooms),
        rooms=sum(room == "ready" for room in rooms),
        free_bytes=disk.free,
        total_bytes=disk.total,
        failures=session.scalar(lately) or 0,
        failed_at=session.scalar(last),
    )
