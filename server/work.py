"""Judging what is queued: threads that claim rows, the room they share, and the sweep that mends what a dead worker left.

A thread claims a row, hands it to `grader.judge`, writes the verdict. The queue is a hint (somebody may sleep no longer); what
is to be judged is read from the database. Nothing is claimed while there is no room, so nothing is lost for want of one.
"""

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from grader.answers import sample_answers
from grader.errors import GradeError, JudgeError, ProblemError, RoomError
from grader.judge import judge
from grader.model import CaseResult, Framework, Outcome, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import Sandbox, open_sandbox
from server import samples, store
from server.bank import Bank
from server.db import Database, ProblemVersion
from server.hub import Hub
from server.settings import Settings
from server.tally import Tally

log = logging.getLogger("server.work")

ALIVE = "alive"  # touched in the instance folder at each sign of life: a health check can look at its age
PROGRESS_S = 0.15  # cases of a slow submission are shown this often
FAILED = "The judge failed on this submission. It is not your fault and nothing is scored; the operator can see it."
BROKEN = "This problem is broken and cannot be judged now. It is not your fault and nothing is scored; the operator can see it."


class Queue(Protocol):
    """Tells whoever judges that a row is queued. A hint: losing it costs time, never a submission."""

    def put(self, submission_id: int) -> None:
        """Called after the row is committed."""

    def wait(self, seconds: float) -> None:
        """Sleep until there may be something to judge, at most so long."""

    def remind(self, due: Sequence[int]) -> None:
        """Called now and then: these rows are due, and their hints may be lost."""


class Chore(Protocol):
    """Further work that needs the room; it has a thread of its own, so that learners do not wait for it."""

    name: str

    def begin(self, owner: str) -> None:
        """Called once, before the first step."""

    def step(self, room: Sandbox, owner: str) -> bool:
        """Do one thing; False when there is nothing to do."""

    def wait(self, seconds: float) -> None:
        """Sleep until there may be something to do, at most so long."""

    def wake(self) -> None:
        """End a sleep."""


class ThreadQueue:
    """Wakes the threads of this process."""

    def __init__(self) -> None:
        self._hints = threading.Semaphore(0)

    def put(self, submission_id: int) -> None:
        """Wake one thread."""
        self._hints.release()

    def wait(self, seconds: float) -> None:
        """Sleep until there is a hint, at most so long."""
        self._hints.acquire(timeout=seconds)

    def remind(self, due: Sequence[int]) -> None:
        """Wake one thread: it goes on for as long as there is something to judge."""
        self._hints.release()


@dataclass(frozen=True, slots=True)
class Core:
    """What the worker needs of the judge; tests put a fake here."""

    open_room: Callable[[], Sandbox]
    judge: Callable[..., Verdict] = judge
    sample_answers: Callable[..., Any] = sample_answers


def core(settings: Settings) -> Core:
    """The real judge in a real room."""
    return Core(open_room=lambda: _open(settings.isolation))


def _open(isolation: str) -> Sandbox:
    """A sandbox whose rooms have been seen to stand: it opens them lazily, and a room that cannot be built must show before a claim."""
    sandbox = open_sandbox(isolation)
    try:
        for framework in reversed(Framework):
            sandbox.warm(framework)
        for framework in Framework:
            sandbox.room(framework)
    except BaseException:
        sandbox.close()
        raise
    return sandbox


class Room:
    """The one sandbox of this process: opened when it is first needed, and again after it could not be built."""

    def __init__(self, open_room: Callable[[], Sandbox], pause: float) -> None:
        self._open, self._pause = open_room, pause
        self._sandbox: Sandbox | None = None
        self._lock = threading.Lock()
        self._next_try = 0.0
        self._restarts = 0
        self.state, self.trouble = "opening", ""

    def get(self) -> Sandbox | None:
        """The room; None while it cannot be built (`trouble` says why)."""
        with self._lock:
            if self._sandbox is None and time.monotonic() >= self._next_try:
                self._try()
            return self._sandbox

    def broke(self, error: Exception) -> None:
        """A room could not be built any more: close what is left, and try from the beginning after a pause."""
        self.close()
        if str(error) != self.trouble:
            log.error("room", extra={"fields": {"state": "unavailable", "trouble": str(error)}})
        self.state, self.trouble = "unavailable", str(error)
        self._next_try = time.monotonic() + self._pause

    def new_restarts(self) -> int:
        """How often a part of it had to be started again since the last call."""
        count = getattr(self._sandbox, "restarts", 0)
        seen, self._restarts = self._restarts, count
        return max(0, count - seen)

    def close(self) -> None:
        """Take the room down."""
        self._restarts = 0
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            with contextlib.suppress(GradeError, OSError):
                sandbox.close()

    def _try(self) -> None:
        try:
            self._sandbox = self._open()
            self.state, self.trouble = "ready", ""
        except (GradeError, OSError) as error:
            self.broke(error)


class Worker:
    """The threads of one process: `settings.workers` that judge, and one that sweeps."""

    def __init__(self, settings: Settings, database: Database, bank: Bank, hub: Hub, queue: Queue, core: Core) -> None:
        self.settings, self.database, self.bank, self.hub, self.queue, self.core = settings, database, bank, hub, queue, core
        self.owner = store.process_name(secrets.token_hex(4))
        self.room = Room(core.open_room, settings.sweep)
        self._stop = threading.Event()
        self.chores: tuple[Chore, ...] = ()
        self._held: set[int] = set()
        self.tally = Tally()
        self._told = ""  # the state of the room that others can read
        self._threads: list[threading.Thread] = []

    def start(self, judging: bool = True) -> None:
        """Begin to judge, with what was left in the database before anything new. Not `judging`: only when `judge_next` is called."""
        with contextlib.suppress(SQLAlchemyError):  # the sweep tries again
            self._sweep()
        count = max(1, self.settings.workers) if judging else 0
        names = [("sweep", self._sweep_for_ever), *((f"judge {i}", self._judge_for_ever) for i in range(count))]
        names += [("answers", self._answer_for_ever)]
        names += [(chore.name, partial(self._chore_for_ever, chore)) for chore in self.chores]
        self._threads = [threading.Thread(target=target, name=name, daemon=True) for name, target in names]
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
            store.sign_off(self.database, self.owner)

    # ------------------------------------------------------------------------------------------------------------------ judging

    def _judge_for_ever(self) -> None:
        while not self._stop.is_set():
            try:
                busy = self.judge_next() is not None
            except SQLAlchemyError as error:
                log.error("database", extra={"fields": {"trouble": type(error).__name__, "text": str(error.__cause__ or error)[:300]}})
                busy = False
            except Exception:  # whatever it was, the other submissions go on
                log.exception("worker")
                busy = False
            if not busy:
                self.queue.wait(self.settings.sweep)

    def _chore_for_ever(self, chore: Chore) -> None:
        begun = False
        while not self._stop.is_set():
            try:
                if not begun:
                    chore.begin(self.owner)
                    begun = True
                room = self.room.get()
                busy = room is not None and chore.step(room, self.owner)
            except RoomError as error:
                self.room.broke(error)
                busy = False
            except SQLAlchemyError as error:
                log.error("database", extra={"fields": {"trouble": type(error).__name__, "text": str(error.__cause__ or error)[:300]}})
                busy = False
            except Exception:  # whatever it was, the other work goes on
                log.exception("chore")
                busy = False
            if not busy:
                chore.wait(self.settings.sweep)

    def _answer_for_ever(self) -> None:
        while not self._stop.is_set():
            try:
                busy = self._answer_next()
            except SQLAlchemyError as error:
                log.error("database", extra={"fields": {"trouble": type(error).__name__, "text": str(error.__cause__ or error)[:300]}})
                busy = False
            except Exception:  # whatever it was, the submissions go on
                log.exception("answers")
                busy = False
            if not busy:
                self._stop.wait(self.settings.sweep)

    def judge_next(self) -> store.Claim | None:
        """Judge the submission that is next; None when there is none, or no room."""
        room = self.room.get()
        if room is None:
            return None
        if self._told != self.room.state:
            self._tell()
        claimed = store.claim(self.database, self.owner, self.settings.lease)
        if claimed is None:
            return None
        self._held.add(claimed.id)
        try:
            self._judge(claimed, room)
        finally:
            self._held.discard(claimed.id)
            self.hub.notify(claimed.id)
        return claimed

    def _judge(self, claimed: store.Claim, room: Sandbox) -> None:
        began = time.monotonic()
        problem = self.bank.get(claimed.problem)
        if problem is None:
            self._end(claimed, _ours(claimed, None, self.settings, BROKEN), {}, "the problem is no longer in the bank", began)
            return
        if claimed.failures >= store.ATTEMPTS:  # it has taken that many workers down with it
            self._end(claimed, _ours(claimed, problem, self.settings, FAILED), {}, "lost with its worker each time", began)
            return
        try:
            verdict = self.core.judge(
                problem,
                Submission(claimed.framework, claimed.source),
                room,
                seed=self.settings.seed,
                samples_only=claimed.trial,
                on_case=_Progress(self.database, self.hub, claimed),
            )
        except ProblemError as error:
            self._end(claimed, _ours(claimed, problem, self.settings, BROKEN), {}, str(error), began)
        except RoomError as error:  # there is no room: it counts against nobody, and waits
            self.room.broke(error)
            store.put_back(self.database, claimed, str(error), self.settings.retry, counts=False)
        except (JudgeError, OSError, MemoryError) as error:
            self._failed(claimed, problem, error, began)
        except Exception as error:  # a defect of the judge is ours as well, and must not lose the row
            log.exception("judge")
            self._failed(claimed, problem, error, began)
        else:
            if verdict.verdict is Outcome.JUDGE_ERROR:
                self._failed(claimed, problem, JudgeError(verdict.message), began)
                return
            self._end(claimed, verdict, samples.shown_data(problem, verdict.cases), None, began)

    def _failed(self, claimed: store.Claim, problem: Problem, error: Exception, began: float) -> None:
        self.tally.failure()
        trouble = f"{type(error).__name__}: {error}"
        if claimed.failures + 1 >= store.ATTEMPTS:
            self._end(claimed, _ours(claimed, problem, self.settings, FAILED), {}, trouble, began)
            return
        store.put_back(self.database, claimed, trouble, self.settings.retry * 2**claimed.failures)
        log.error("judge failed", extra={"fields": {"submission": claimed.id, "attempt": claimed.attempt, "trouble": trouble[:500]}})

    def _end(self, claimed: store.Claim, verdict: Verdict, shown: dict[str, Any], trouble: str | None, began: float) -> None:
        kept = self._finish(claimed, verdict, shown, trouble)
        if kept:
            self.tally.verdict(str(verdict.verdict), claimed.waited_ms / 1000, time.monotonic() - began)
        fields = {
            "submission": claimed.id,
            "attempt": claimed.attempt,
            "problem": claimed.problem,
            "framework": str(claimed.framework),
            "verdict": str(verdict.verdict),
            "trial": claimed.trial,
            "waited_ms": round(claimed.waited_ms, 1),
            "judged_ms": round((time.monotonic() - began) * 1000, 1),
            "kept": kept,
        }
        log.info("verdict", extra={"fields": fields | ({"trouble": trouble[:500]} if trouble else {})})

    def _finish(self, claimed: store.Claim, verdict: Verdict, shown: dict[str, Any], trouble: str | None) -> bool:
        """Write the verdict; while the database cannot take it (locked, disk full) try again for as long as the lease lasts."""
        end = time.monotonic() + self.settings.lease
        while True:
            try:
                return store.finish(self.database, claimed, verdict, shown, trouble)
            except SQLAlchemyError as error:
                if time.monotonic() > end or self._stop.wait(0.5):
                    raise
                log.error("database", extra={"fields": {"submission": claimed.id, "trouble": type(error).__name__}})

    def _answer_next(self) -> bool:
        """Compute the sample answers that a statement still lacks, in a thread of its own: no learner waits behind them."""
        room, unanswered = self.room.get(), self._unanswered()
        missing = [p for p in self.bank.problems() if (p.slug, p.digest) in unanswered] if room is not None else []
        if not missing:
            return False
        problem, data = missing[0], list[dict[str, Any]]()
        try:
            data = samples.sample_data(problem, self.core.sample_answers(problem, room))
        except GradeError as error:
            log.error("samples", extra={"fields": {"problem": problem.slug, "trouble": str(error)[:500]}})
        with self.database.write() as session:
            version = (ProblemVersion.slug == problem.slug, ProblemVersion.digest == problem.digest)
            session.execute(update(ProblemVersion).where(*version).values(samples=data))
        return True

    def _unanswered(self) -> set[tuple[str, str]]:
        missing = select(ProblemVersion.slug, ProblemVersion.digest).where(ProblemVersion.current, ProblemVersion.samples.is_(None))
        with self.database.read() as session:
            return {(slug, digest) for slug, digest in session.execute(missing)}

    # ----------------------------------------------------------------------------------------------------------------- sweeping

    def _sweep_for_ever(self) -> None:
        while not self._stop.wait(self.settings.sweep):
            try:
                self._sweep()
            except SQLAlchemyError as error:
                log.error("database", extra={"fields": {"trouble": type(error).__name__, "text": str(error.__cause__ or error)[:300]}})

    def _sweep(self) -> None:
        store.renew(self.database, self.owner, list(self._held), self.settings.lease)
        self._tell()
        store.sweep(self.database, self.owner, self.settings.trial_keep)
        due = store.due(self.database)
        if due:
            self.queue.remind(due)

    def _tell(self) -> None:
        state = self.room.state
        with contextlib.suppress(OSError):
            Path(self.settings.instance).mkdir(parents=True, exist_ok=True)
            (Path(self.settings.instance) / ALIVE).touch()
        self.tally.restarts(self.room.new_restarts())
        store.sign_of_life(
            self.database, self.owner, state, self.room.trouble, self.tally.to_json(), forget=max(3600.0, 10 * self.settings.lease)
        )
        self._told = state


class _Progress:
    """Called with each case as it is judged; writes those of a slow submission for whoever watches."""

    def __init__(self, database: Database, hub: Hub, claimed: store.Claim) -> None:
        self.database, self.hub, self.claimed = database, hub, claimed
        self.cases: list[dict[str, Any]] = []
        self.written = time.monotonic()

    def __call__(self, result: CaseResult) -> None:
        self.cases.append({"name": result.name, "verdict": str(result.verdict), "sample": result.sample, "message": result.message})
        if time.monotonic() - self.written < PROGRESS_S:
            return
        with contextlib.suppress(SQLAlchemyError):  # only a view: the verdict itself is written with care
            store.note_progress(self.database, self.claimed, self.cases)
        self.written = time.monotonic()
        self.hub.notify(self.claimed.id)


def _ours(claimed: store.Claim, problem: Problem | None, settings: Settings, message: str) -> Verdict:
    """The verdict that says that we failed."""
    return Verdict(
        problem=claimed.problem,
        digest=problem.digest if problem else "",
        framework=claimed.framework,
        verdict=Outcome.JUDGE_ERROR,
        score=0,
        max_score=0,
        isolation=settings.isolation,
        seed=settings.seed,
        cases=(),
        diagnosis=None,
        message=message,
    )
