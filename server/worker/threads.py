"""The worker: threads that claim submissions and judge them, the sweep, and chores beside them.

A thread claims a submission and hands it to `judging`. Nothing is claimed while there is no room,
so nothing is lost for want of one. The sweep renews this process's leases and queues again, for
every kind of job, what workers lost.
"""

import contextlib
import logging
import secrets
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from sqlalchemy.exc import SQLAlchemyError

from grader.errors import RoomError, UsageError
from grader.sandbox import Sandbox
from server.models.database import Database
from server.private_files import private_folder
from server.services import submission_queue
from server.services.courses.groups import judge_unexplained
from server.services.jobs import leases
from server.services.jobs.kinds import KINDS, SUBMISSIONS
from server.services.jobs.owners import process_name
from server.services.problems import scheduling
from server.services.problems.bank import Bank
from server.services.waking.hub import Hub
from server.settings import Settings
from server.worker.judging import Judging
from server.worker.room import Core, Room
from server.worker.wakeups import Wakeups

__all__ = ["ALIVE", "Chore", "Core", "Worker"]

log = logging.getLogger("server.work")

# A judging thread waits for the interpreter's lock a hundred times in a verdict, each time so long
# at most: with Python's 5 ms, one costly page in another thread costs a learner half a second.
SWITCH_S = 0.0005
# touched in the instance folder at each sign of life: a health check can look at its age
ALIVE = "alive"


class Chore(Protocol):
    """Work beside judging, in a thread of its own, so that learners do not wait for it."""

    name: str

    def step(self, room: Sandbox, owner: str) -> bool:
        """Carries out one job; False when there is none."""

    def wait(self, seconds: float) -> None:
        """Sleeps until there may be a job, at most so long."""

    def wake(self) -> None:
        """Ends a sleep."""


class Worker:
    """The threads of one process: those that judge, one that sweeps, and one for each chore."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        bank: Bank,
        hub: Hub,
        queue: Wakeups,
        core: Core,
    ) -> None:
        self.settings, self.database = settings, database
        self.queue, self.core, self.bank = queue, core, bank
        self.owner = process_name(secrets.token_hex(4))
        self.room = Room(core.open_room, settings.sweep)
        self.chores: tuple[Chore, ...] = ()
        self._stop = threading.Event()
        self._judging = Judging(settings, database, bank, hub, core, self.room, self._stop)
        self._held: set[submission_queue.Claim] = set()
        self._busy: set[int] = set()  # threads that judge, or are claiming
        self._reported = ""  # the state of the room as the database has it
        self._threads: list[threading.Thread] = []

    def start(self, judging: bool = True) -> None:
        """Starts the threads; what was left in the database is judged before anything new.

        Without `judging`, submissions are judged only when `judge_next` is called.
        """
        sys.setswitchinterval(SWITCH_S)
        self.owner = process_name(secrets.token_hex(4))  # it may have been forked since
        with contextlib.suppress(SQLAlchemyError):  # the sweep tries again
            self._sweep()
        count = max(1, self.settings.workers) if judging else 0
        names = [("sweep", self._run_sweep)]
        names += [
            (f"judge {i}", partial(self._run, self._judged_one, self.queue.wait))
            for i in range(count)
        ]
        names += [(chore.name, partial(self._run_chore, chore)) for chore in self.chores]
        self._threads = [
            threading.Thread(target=target, name=name, daemon=True) for name, target in names
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finishes what is being judged, and closes the room."""
        self._stop.set()
        for _ in self._threads:
            self.queue.remind([])
        self.wake_chores()
        for thread in self._threads:
            thread.join(timeout=30)
        self.room.close()
        with contextlib.suppress(SQLAlchemyError):
            submission_queue.sign_off(self.database, self.owner)

    def wake_chores(self) -> None:
        """Tells the chores that there may be a job."""
        for chore in self.chores:
            chore.wake()

    def idle(self) -> bool:
        """Checks that no submission waits anywhere, and that this process judges nothing."""
        return not self._busy and not submission_queue.waiting(self.database)

    # judging

    def judge_next(self) -> submission_queue.Claim | None:
        """Judges the next submission; None when there is none, or no room."""
        sandbox = self.room.get()
        if sandbox is None:
            return None
        if self._reported != self.room.state:
            self._report()
        self._busy.add(threading.get_ident())
        try:
            claimed = submission_queue.claim(self.database, self.owner, self.settings.lease)
            if claimed is not None:
                self._judge(claimed, sandbox)
        finally:
            self._busy.discard(threading.get_ident())
        return claimed

    def _judge(self, claimed: submission_queue.Claim, sandbox: Sandbox) -> None:
        self._held.add(claimed)
        try:
            self._judging.judge(claimed, sandbox)
        finally:
            self._held.discard(claimed)

    def _judged_one(self) -> bool:
        return self.judge_next() is not None

    def _run_chore(self, chore: Chore) -> None:
        def step() -> bool:
            sandbox = self.room.get()
            try:
                return sandbox is not None and chore.step(sandbox, self.owner)
            except RoomError as error:
                self.room.broke(error, sandbox)
                return False

        self._run(step, chore.wait)

    def _run(self, step: Callable[[], bool], wait: Callable[[float], None]) -> None:
        """Takes steps until the worker stops; waits whenever there is nothing to do."""
        while not self._stop.is_set():
            if not self._survive(step):
                wait(self.settings.sweep)

    def _survive(self, step: Callable[[], bool]) -> bool:
        """Takes one step; True when it did something. Whatever fails, the other work goes on."""
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

    # sweeping

    def _run_sweep(self) -> None:
        while not self._stop.wait(self.settings.sweep):
            self._survive(self._sweep)

    def _sweep(self) -> bool:
        leases.renew(self.database, SUBMISSIONS, list(self._held), self.settings.lease)
        self._report()
        submission_queue.remove_sample_runs(self.database, self.settings.trial_keep)
        for kind in KINDS:
            leases.reclaim(self.database, kind, self.owner)
        for done in scheduling.publish_due(self.database, self.bank):
            self.bank.look_again()
            judge_unexplained(self.database, self.bank, done.slug, done.before, done.user)
            self.wake_chores()  # its samples are to be computed
        due = leases.due(self.database, SUBMISSIONS)
        if due:
            self.queue.remind(due)
        return bool(due)

    def _report(self) -> None:
        state, metrics = self.room.state, self._judging.metrics
        with contextlib.suppress(OSError, UsageError):
            (private_folder(Path(self.settings.instance)) / ALIVE).touch()
        metrics.restarts(self.room.new_restarts())
        submission_queue.sign_of_life(
            self.database,
            self.owner,
            state,
            self.room.last_error,
            metrics.snapshot(),
            forget=max(3600.0, 10 * self.settings.lease),
        )
        self._reported = state
