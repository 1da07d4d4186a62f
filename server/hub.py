"""Who waits for a submission, and waking them: inside one process. Across processes a waiter looks again by itself (`LOOK_S`)."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

LOOK_S = 0.25

T = TypeVar("T")


class Hub:
    """One condition a submission that somebody waits for."""

    def __init__(self) -> None:
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
        try:
            while True:
                with condition:  # held while looking: a change that comes now wakes the wait below
                    seen = look()
                    left = end - time.monotonic()
                    if seen is not None or left <= 0:
                        return seen
                    condition.wait(min(left, LOOK_S))
        finally:
            self._leave(submission_id)

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
