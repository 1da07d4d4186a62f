"""Hints that wake the threads of one process. `server.worker.dispatch` does so between machines.

A hint says only that there may be work. What is judged, and in which order, is read from the
database.
"""

import threading
from collections.abc import Sequence
from typing import Protocol


class Wakeups(Protocol):
    """Wakes workers when a row is queued. A lost hint costs time, never a submission."""

    def put(self, submission_id: int) -> None:
        """Wakes a worker; called after the row is committed."""

    def wait(self, seconds: float) -> None:
        """Sleeps until there may be something to judge, at most so long."""

    def remind(self, due: Sequence[int]) -> None:
        """Repeats the hints of rows that are due, in case they were lost; the sweep calls it."""

    def depth(self) -> int | None:
        """Returns how many hints wait; None where that is not known."""


class ThreadWakeups:
    """Wakes the threads of this process."""

    def __init__(self) -> None:
        self._hints = threading.Semaphore(0)

    def put(self, submission_id: int) -> None:
        """Wakes one thread."""
        self._hints.release()

    def wait(self, seconds: float) -> None:
        """Sleeps until there is a hint, at most so long."""
        self._hints.acquire(timeout=seconds)

    def remind(self, due: Sequence[int]) -> None:
        """Wakes one thread: it goes on while there is something to judge."""
        self._hints.release()

    def depth(self) -> int | None:
        """Returns None: nobody counts them."""
        return None
