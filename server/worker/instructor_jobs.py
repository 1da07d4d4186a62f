"""Jobs of instructors, one after another in a thread of its own: verification and rejudging."""

import logging
import threading
from collections.abc import Callable
from functools import partial

from grader import problem as bank_module
from grader.model import Verdict
from grader.sandbox import Sandbox
from grader.verify import verify
from server.models.database import Database
from server.services import rejudging_queue
from server.services.problems import verification_queue
from server.services.problems.bank import Bank
from server.services.problems.verification_report import Verify
from server.settings import Settings
from server.worker.low_priority import CLOSED_S, LowPriorityGate

log = logging.getLogger("server.teach")


class InstructorJobs:
    """The chore of `server.worker.threads.Worker` that verifies and rejudges."""

    name = "instructor jobs"

    def __init__(
        self,
        settings: Settings,
        database: Database,
        bank: Bank,
        judge: Callable[..., Verdict],
        gate: LowPriorityGate,
        verifier: Verify = verify,
    ) -> None:
        self.settings, self.database, self.bank = settings, database, bank
        self.judge, self.gate, self.verifier = judge, gate, verifier
        self._hints = threading.Semaphore(0)

    def wake(self) -> None:
        """Ends a sleep: a job was queued and committed."""
        self._hints.release()

    def wait(self, seconds: float) -> None:
        """Sleeps until there is a hint, at most so long."""
        self._hints.acquire(timeout=seconds)

    def step(self, room: Sandbox, owner: str) -> bool:
        """Carries out one job; False when there is none.

        An instructor waits for a verification, so it comes first. Rejudging gives way to learners.
        """
        return self._verify(room, owner) or self._rejudge(room, owner)

    def _verify(self, room: Sandbox, owner: str) -> bool:
        run = verification_queue.claim(self.database, owner)
        if run is None:
            return False
        fields = {"run": run.id, "problem": run.slug, "attempt": run.attempt}
        log.info("verify", extra={"fields": fields})
        known = {*bank_module.slugs(bank_module.SHIPPED), *(p.slug for p in self.bank.problems())}
        verifier = partial(self.verifier, known=known)
        settings = self.settings
        verification_queue.carry_out(
            self.database, run, room, settings.seed, settings.retry, verifier
        )
        return True

    def _rejudge(self, room: Sandbox, owner: str) -> bool:
        if not rejudging_queue.waiting(self.database):
            return False
        if not self.gate.open():
            self.wait(CLOSED_S)
            return True
        job = rejudging_queue.claim(self.database, owner)
        if job is None:
            return False
        rejudging_queue.carry_out(
            self.database,
            job,
            self.bank,
            room,
            self.judge,
            self.settings.seed,
            self.settings.retry,
        )
        return True
