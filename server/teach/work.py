"""What the instructors' side asks of the room: verifications and rejudging, one after another, in a thread of its own."""

import logging
import threading
from collections.abc import Callable
from typing import Any

from grader.sandbox import Sandbox
from grader.verify import verify
from server.db import Database
from server.settings import Settings
from server.store import gone
from server.teach import verifying

log = logging.getLogger("server.teach")


class Desk:
    """The chore of `server.work.Worker` that carries out what instructors ask for."""

    name = "desk"

    def __init__(self, settings: Settings, database: Database, verifier: Callable[..., Any] = verify) -> None:
        self.settings, self.database, self.verifier = settings, database, verifier
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
            owners = verifying.owners(session)
        dead = gone(owners, owner)
        if dead:
            with self.database.write() as session:
                verifying.give_back(session, dead)

    def step(self, room: Sandbox, owner: str) -> bool:
        """Carry out one thing; False when there is none."""
        claimed = verifying.claim(self.database, owner)
        if claimed is None:
            return False
        log.info("verify", extra={"fields": {"run": claimed.id, "problem": claimed.slug, "attempt": claimed.attempt}})
        verifying.carry_out(self.database, claimed, room, self.settings.seed, self.verifier)
        return True
