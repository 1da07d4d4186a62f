"""What the instructors' side asks of the room: verifications and rejudging, one after another, in a
thread of its own.
"""

import logging
import threading
from collections.abc import Callable
from typing import Any

from grader.sandbox import Sandbox
from grader.verify import verify
from server.models.database import Database
from server.services import rejudging
from server.services.problems import verification
from server.services.problems.bank import Bank
from server.services.submissions import gone
from server.settings import Settings
from server.worker.low_priority import CLOSED_S, LowerLane

log = logging.getLogger("server.teach")


class Desk:
    """The chore of `server.worker.threads.Worker` that carries out what instructors ask for."""

    name = "desk"

    def __init__(
        self,
        settings: Settings,
        database: Database,
        bank: Bank,
        judge: Callable[..., Any],
        lane: LowerLane,
        verifier: verification.Verify = verify,
    ) -> None:
        self.settings, self.database, self.bank, self.judge, self.lane, self.verifier = (
            settings,
            database,
            bank,
            judge,
            lane,
            verifier,
        )
        self._hints = threading.Semaphore(0)

    def wake(self) -> None:
        """There is something to do, and it is committed."""
        self._hints.release()

    def wait(self, seconds: float) -> None:
        """Sleep until there is a hint, at most so long."""
        self._hints.acquire(timeout=seconds)

    def begin(self, owner: str) -> None:
        """Before the first step: take back what processes of this host that are gone had taken."""
        with self.database.read() as session:
            dead = gone([*verification.owners(session), *rejudging.owners(session)], owner)
        if dead:
            with self.database.write() as session:
                verification.give_back(session, dead)
                rejudging.give_back(session, dead)

    def step(self, room: Sandbox, owner: str) -> bool:
        """Carry out one thing; False when there is none.

        Whoever verifies waits for it; rejudging gives way to learners.
        """
        run = verification.claim(self.database, owner)
        if run is not None:
            log.info(
                "verify",
                extra={"fields": {"run": run.id, "problem": run.slug, "attempt": run.attempt}},
            )
            verification.carry_out(self.database, run, room, self.settings.seed, self.verifier)
            return True
        if not rejudging.waiting(self.database):
            return False
        if not self.lane.open():
            self.wait(CLOSED_S)
            return True
        again = rejudging.claim(self.database, owner)
        if again is None:
            return False
        rejudging.carry_out(self.database, again, self.bank, room, self.judge, self.settings.seed)
        return True
