"""The worker's side of verifications: claim, report progress, store the report."""

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row
from sqlalchemy.orm import Session

from grader.sandbox import Sandbox
from grader.verify import verify
from server.models.database import Database
from server.services.jobs import execution, leases
from server.services.jobs.kinds import VERIFICATIONS
from server.services.jobs.leases import Lease
from server.services.problems import files
from server.services.problems.verification_report import Verify, examine

PROGRESS_S = 0.2


@dataclass(frozen=True, slots=True)
class Claim(Lease):
    """A run that this worker carries out now."""

    slug: str
    files: dict[str, str]


def claim(database: Database, owner: str) -> Claim | None:
    """Claims the next run."""
    return leases.claim(database, VERIFICATIONS, owner, _read)


def _read(session: Session, lease: Lease, row: Row[Any]) -> Claim:
    return Claim(lease.kind, lease.id, lease.attempt, lease.failures, row.slug, dict(row.files))


def carry_out(
    database: Database,
    claimed: Claim,
    sandbox: Sandbox,
    seed: int,
    pause: float,
    verifier: Verify = verify,
) -> bool:
    """Verifies the files and stores the report; False when there is none.

    After a failure of the judge the run is retried, at first after `pause` seconds.
    """

    def work() -> dict[str, Any]:
        with database.read() as session:
            content = files.fetch(session, claimed.files)
        progress = _Progress(database, claimed)
        report = examine(content, claimed.slug, sandbox, seed, progress, verifier)
        return {"fit": not report["findings"], "report": report}

    return execution.carry_out(database, claimed, work, pause, dead={"fit": False})


class _Progress:
    """Stores the current step for the page that shows it, a few times a second at most."""

    def __init__(self, database: Database, claimed: Claim) -> None:
        self.database, self.claimed, self.count, self.written = database, claimed, 0, 0.0

    def __call__(self, step: str, steps: int) -> None:
        self.count += 1
        if time.monotonic() - self.written < PROGRESS_S:
            return
        self.written = time.monotonic()
        values = {"step": step[:200], "steps_done": self.count - 1, "steps": steps}
        with self.database.write() as session:
            leases.write(session, self.claimed, values)
