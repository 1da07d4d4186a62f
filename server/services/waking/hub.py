"""Notifies the requests of one process that wait for a submission.

PostgreSQL notifies other processes (`server.services.waking.listen`), and so does the worker beside
the pages (`server.cli.own_process`); otherwise a waiter polls (`POLL_S`). One thread of the hub
watches the requests that were put aside (`server.web.serving.waiting`). It exists while there are
any.
"""

import contextlib
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

POLL_S = 0.25
POLL_NOTIFIED_S = 2.0  # where every change is notified
RECENT = 256  # changes that are remembered
SHARE = 10  # polling for all waiters takes at most one part in so many of the thread's time

log = logging.getLogger("server.hub")

T = TypeVar("T")
# those of some topics that have surely not changed
Quiet = Callable[[Collection[int]], Collection[int]]


@dataclass(eq=False, slots=True)
class Waiter:
    """A request that was put aside: its deadline, and how to check what it waits for."""

    topic: int
    account: int
    until: float  # of time.monotonic()
    look: Callable[[], object | None]
    wake: Callable[[], None] = field(default=lambda: None, repr=False)


class Hub:
    """The waiting requests: in threads, one condition for each submission; and put aside."""

    def __init__(
        self,
        listen: Callable[["Hub"], None] | None = None,
        quiet: Quiet = lambda topics: (),
    ) -> None:
        """`listen` starts calling `notify` for changes in other processes, at the first wait.
        `quiet` asks once for all who wait, so that few of them are looked at one by one.
        """
        self._listen, self._poll_s = listen, POLL_NOTIFIED_S if listen else POLL_S
        self._quiet = quiet
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[threading.Condition, int]] = {}
        self._accounts: Counter[int] = Counter()  # requests that wait, in a thread or aside
        self._threads = 0
        self._aside: dict[Waiter, None] = {}  # in the order in which they came
        self._changed: set[int] = set()
        self._recent: deque[int] = deque(maxlen=RECENT)
        self._watching = False
        self._news = threading.Condition(self._lock)
        self._forward: Callable[[int], None] | None = None

    def forward(self, changed: Callable[[int], None]) -> None:
        """Calls `changed` for each change: the requests that wait are in another process."""
        self._forward = changed

    def hears_all(self) -> None:
        """Polls seldom: whoever judges in another process calls `notify` here."""
        self._poll_s = POLL_NOTIFIED_S

    def notify(self, submission_id: int) -> None:
        """Wakes whoever waits for this submission: a change of it is committed."""
        if self._forward is not None:
            self._forward(submission_id)
        with self._lock:
            self._recent.append(submission_id)
            entry = self._waiting.get(submission_id)
            if self._aside:
                self._changed.add(submission_id)
                self._news.notify()
        if entry is not None:
            with entry[0]:
                entry[0].notify_all()

    # in a thread

    def wait(
        self,
        submission_id: int,
        seconds: float,
        look: Callable[[], T | None],
        just_stored: bool = False,
    ) -> T | None:
        """Calls `look` until it returns a value, for at most `seconds`; of what is just stored,
        for the first time after a change.
        """
        end = time.monotonic() + seconds
        condition = self._join(submission_id)
        began = self._start_listening()
        try:
            while True:
                with condition:  # held: a change that comes now wakes the wait below
                    new = just_stored and not began and submission_id not in self._recent
                    value = None if new else look()
                    left = end - time.monotonic()
                    if value is not None or left <= 0:
                        return value
                    condition.wait(min(left, self._poll_s))
                    just_stored = False
        finally:
            self._leave(submission_id)

    @contextlib.contextmanager
    def thread(self, most: int) -> Iterator[bool]:
        """Checks whether one more thread may wait, when at most `most` do."""
        with self._lock:
            free = self._threads < most
            self._threads += free
        try:
            yield free
        finally:
            with self._lock:
                self._threads -= free

    def enter(self, account: int, most_of_one: int, most: int) -> bool:
        """Counts a waiting request; False when its account, or all together, reached the limit."""
        with self._lock:
            if self._accounts[account] >= most_of_one or self._accounts.total() >= most:
                return False
            self._accounts[account] += 1
            return True

    def leave(self, account: int) -> None:
        """Stops counting a request."""
        with self._lock:
            self._left(account)

    def _left(self, account: int) -> None:
        self._accounts[account] -= 1
        if self._accounts[account] <= 0:
            del self._accounts[account]

    # aside

    def add(self, waiter: Waiter, wake: Callable[[], None]) -> None:
        """Calls `wake` once: when the waiter's `look` returns a value, or at its deadline.

        The waiter has been counted (`enter`).
        """
        self._start_listening()
        waiter.wake = wake
        with self._lock:
            self._aside[waiter] = None
            self._changed.add(waiter.topic)  # it may have changed since the last look
            start, self._watching = not self._watching, True
            self._news.notify()
        if start:
            threading.Thread(target=self._watch, name="waiting", daemon=True).start()

    def remove(self, waiter: Waiter) -> bool:
        """Removes a waiter without waking it; False when it was woken already."""
        with self._lock:
            if waiter not in self._aside:
                return False
            del self._aside[waiter]
            self._left(waiter.account)
            return True

    def _watch(self) -> None:
        """Wakes waiters whose change or deadline has come, until nobody waits."""
        again = time.monotonic() + self._poll_s
        while True:
            with self._news:
                if not self._aside:
                    self._watching = False
                    return
                if not self._changed:
                    soonest = min(waiter.until for waiter in self._aside)
                    self._news.wait(max(0.0, min(again, soonest) - time.monotonic()))
                began = time.monotonic()
                everyone, changed = began >= again, self._changed
                self._changed = set()
                due = [w for w in self._aside if everyone or w.topic in changed or w.until <= began]
            for waiter in self._worth_a_look(due, changed, began) if everyone else due:
                if self._is_over(waiter, began) and self.remove(waiter):
                    waiter.wake()
            if everyone:
                took = time.monotonic() - began
                again = time.monotonic() + max(self._poll_s, SHARE * took)

    def _worth_a_look(
        self, waiters: Sequence[Waiter], changed: Collection[int], moment: float
    ) -> Sequence[Waiter]:
        topics = {w.topic for w in waiters if w.topic not in changed and w.until > moment}
        try:
            quiet = set(self._quiet(topics)) if topics else set()
        except Exception:  # each look meets it again, and its request answers with it
            log.exception("waiting")
            return waiters
        return [w for w in waiters if w.topic not in quiet or w.until <= moment]

    def _is_over(self, waiter: Waiter, moment: float) -> bool:
        if waiter.until <= moment:
            return True
        try:
            return waiter.look() is not None
        except Exception:  # the request, run again, meets the same error and answers with it
            log.exception("waiting")
            return True

    # private

    def _start_listening(self) -> bool:
        """Returns whether it starts only now: what came before was not heard."""
        with self._lock:
            listen, self._listen = self._listen, None
        if listen is not None:
            listen(self)
        return listen is not None

    def _join(self, submission_id: int) -> threading.Condition:
        with self._lock:
            condition, count = self._waiting.get(submission_id, (threading.Condition(), 0))
            self._waiting[submission_id] = (condition, count + 1)
            return condition

    def _leave(self, submission_id: int) -> None:
        with self._lock:
            condition, count = self._waiting.pop(submission_id)
            if count > 1:
                self._waiting[submission_id] = (condition, count - 1)
