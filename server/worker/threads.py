"""The worker: threads that claim rows and judge them, the sweep that mends what a dead worker left,
and chores beside them.

A thread claims a row, hands it to `judging`, and tells whoever waits. Nothing is claimed while
there is no room, so nothing is lost for want of one.
"""

import contextlib
import logging
import secrets
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from sqlalchemy.exc import SQLAlchemyError

from grader.errors import RoomError
from grader.sandbox import Sandbox
from server.models.database import Database
from server.permissions import private_folder
from server.services import submissions
from server.services.hub import Hub
from server.services.problems.bank import Bank
from server.settings import Settings
from server.worker.judging import Judging
from server.worker.queue import Queue
from server.worker.room import Core, Room

__all__ = ["ALIVE", "Chore", "Core", "Worker"]

log = logging.getLogger("server.work")

# touched in the instance folder at each sign of life: a health check can look at its age
ALIVE = "alive"


class Chore(Protocol):
    """Further work that needs the room; it has a thread of its own, so that learners do not wait
    for it.
    """

    name: str

    def begin(self, owner: str) -> None:
        """Called once, before the first step."""

    def step(self, room: Sandbox, owner: str) -> bool:
        """Do one thing; False when there is nothing to do."""

    def wait(self, seconds: float) -> None:
        """Sleep until there may be something to do, at most so long."""

    def wake(self) -> None:
        """End a sleep."""


class Worker:
    """The threads of one process: `settings.workers` that judge, one that sweeps, and one for each
    chore.
    """

    def __init__(
        self, settings: Settings, database: Database, bank: Bank, hub: Hub, queue: Queue, core: Core
    ) -> None:
        self.settings, self.database, self.hub, self.queue, self.core = (
            settings,
            database,
            hub,
            queue,
            core,
        )
        self.owner = submissions.process_name(secrets.token_hex(4))
        self.room = Room(core.open_room, settings.sweep)
        self.chores: tuple[Chore, ...] = ()
        self._stop = threading.Event()
        self._judging = Judging(settings, database, bank, hub, core, self.room, self._stop)
        self._held: set[int] = set()
        self._busy: set[int] = set()  # threads that judge, or are taking something up
        self._told = ""  # the state of the room that others can read
        self._threads: list[threading.Thread] = []

    def start(self, judging: bool = True) -> None:
        """Begin to judge, with what was left in the database before anything new.

        Not `judging`: only when `judge_next` is called.
        """
        with contextlib.suppress(SQLAlchemyError):  # the sweep tries again
            self._sweep()
        count = max(1, self.settings.workers) if judging else 0
        names = [("sweep", self._sweep_for_ever)]
        names += [
            (f"judge {i}", partial(self._for_ever, self._judged_one, self.queue.wait))
            for i in range(count)
        ]
        names += [(chore.name, partial(self._chore_for_ever, chore)) for chore in self.chores]
        self._threads = [
            threading.Thread(target=target, name=name, daemon=True) for name, target in names
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish what is being judged, and take the room down."""
        self._stop.set()
        for _ in self._threads:
            self.queue.remind([])
        for chore in self.chores:
            chore.wake()
        for thread in self._threads:
            thread.join(timeout=30)
        self.room.close()
        with contextlib.suppress(SQLAlchemyError):
            submissions.sign_off(self.database, self.owner)

    def quiet(self) -> bool:
        """Whether nothing of a learner's waits anywhere, and this process judges nothing."""
        return not self._busy and not submissions.waiting(self.database)

    # ------------------------------------------------------------------------------------------------------------------
    # judging

    def judge_next(self) -> submissions.Claim | None:
        """Judge the submission that is next; None when there is none, or no room."""
        sandbox = self.room.get()
        if sandbox is None:
            return None
        if self._told != self.room.state:
            self._tell()
        self._busy.add(threading.get_ident())
        try:
            claimed = submissions.claim(self.database, self.owner, self.settings.lease)
            if claimed is not None:
                self._judge(claimed, sandbox)
        finally:
            self._busy.discard(threading.get_ident())
        return claimed

    def _judge(self, claimed: submissions.Claim, sandbox: Sandbox) -> None:
        self._held.add(claimed.id)
        try:
            self._judging.judge(claimed, sandbox)
        finally:
            self._held.discard(claimed.id)
            self.hub.notify(claimed.id)

    def _judged_one(self) -> bool:
        return self.judge_next() is not None

    def _chore_for_ever(self, chore: Chore) -> None:
        begun: list[str] = []

        def step() -> bool:
            if not begun:
                chore.begin(self.owner)
                begun.append(self.owner)
            sandbox = self.room.get()
            return sandbox is not None and chore.step(sandbox, self.owner)

        self._for_ever(step, chore.wait)

    def _for_ever(self, step: Callable[[], bool], wait: Callable[[float], None]) -> None:
        """Step by step, until there is nothing to do; then wait, and again."""
        while not self._stop.is_set():
            if not self._outlived(step):
                wait(self.settings.sweep)

    def _outlived(self, step: Callable[[], bool]) -> bool:
        """Whether it did something. Whatever it was that broke, the other work goes on."""
        try:
            return step()
        except RoomError as error:
            self.room.broke(error)
        except SQLAlchemyError as error:
            log.error(
                "database",
                extra={
                    "fields": {
                        "trouble": type(error).__name__,
                        "text": str(error.__cause__ or error)[:300],
                    }
                },
            )
        except Exception:
            log.exception("worker")
        return False

    # -----------------------------------------------------------------------------------------------------------------
    # sweeping

    def _sweep_for_ever(self) -> None:
        while not self._stop.wait(self.settings.sweep):
            self._outlived(self._sweep)

    def _sweep(self) -> bool:
        submissions.renew(self.database, self.owner, list(self._held), self.settings.lease)
        self._tell()
        submissions.sweep(self.database, self.owner, self.settings.trial_keep)
        due = submissions.due(self.database)
        if due:
            self.queue.remind(due)
        return bool(due)

    def _tell(self) -> None:
        state, metrics = self.room.state, self._judging.metrics
        with contextlib.suppress(OSError):
            (private_folder(Path(self.settings.instance)) / ALIVE).touch()
        metrics.restarts(self.room.new_restarts())
        forget = max(3600.0, 10 * self.settings.lease)
        submissions.sign_of_life(
            self.database, self.owner, state, self.room.trouble, metrics.snapshot(), forget=forget
        )
        self._told = state
