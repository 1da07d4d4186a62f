"""The queue inside one process. Between machines it is `server.worker.dispatch`.

A hint and no more: somebody may sleep no longer. What is to be judged, and in which order, is read
from the database.
"""

import threading
from collections.abc import Sequence
from typing import Protocol


class Queue(Protocol):
    """Tells whoever judges that a row is queued. Losing it costs time, never a submission."""

    def put(self, submission_id: int) -> None:
        """Called after the row is committed."""

    def wait(self, seconds: float) -> None:
        """Sleep until there may be something to judge, at most so long."""

    def remind(self, due: Sequence[int]) -> None:
        """Called now and then: these rows are due, and their hints may be lost."""

    def depth(self) -> int | None:
        """How many hints wait; None where that cannot be known."""


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

    def depth(self) -> int | None:
        """Nobody counts them."""
        return None
