"""Who waits for a submission, and waking them: inside one process. Across processes PostgreSQL sends word
(`server.listen`); with SQLite a waiter looks again by itself (`LOOK_S`)."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

LOOK_S = 0.25
LOOK_WITH_WORD_S = 2.0  # where every change is told

T = TypeVar("T")


class Hub:
    """One condition a submission that somebody waits for."""

    def __init__(self, listen: Callable[["Hub"], None] | None = None) -> None:
        """`listen` begins to call `notify` for what other processes change; it is called at the first wait."""
        self._listen, self._look = listen, LOOK_WITH_WORD_S if listen else LOOK_S
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[threading.Condition, int]] = {}

    def notify(self, submission_id: int) -> None:
        """Something about this submission has changed and is committed."""
        with self._lock:
            found = self._waiting.get(submission_id)
        if found is not None:
            with found[0]:
                found[0].notify_all()

    def wait(self, submission_id: int, seconds: float, look: Callable[[], T | None]) -> T | None:
        """Call `look` until it returns something or `seconds` are over."""
        end = time.monotonic() + seconds
        condition = self._join(submission_id)
        self._begin_to_listen()
        try:
            while True:
                with condition:  # held while looking: a change that comes now wakes the wait below
                    seen = look()
                    left = end - time.monotonic()
                    if seen is not None or left <= 0:
                        return seen
                    condition.wait(min(left, self._look))
        finally:
            self._leave(submission_id)

    def _begin_to_listen(self) -> None:
        with self._lock:
            listen, self._listen = self._listen, None
        if listen is not None:
            listen(self)

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
