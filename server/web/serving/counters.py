"""Counts requests for the rate limits, in the memory of this process.

The storage that `limits` brings starts a thread for nearly every request that it counts, to forget
what has expired. While the judge's threads are busy, each start waits for the interpreter's lock.
"""

import threading
import time

from limits.storage import Storage

SWEEP_S = 60.0  # expired counts are forgotten this often


class Counters(Storage):
    """A count and the end of its window for each key; safe to use from several threads."""

    STORAGE_SCHEME: list[str] | None = ["process"]  # noqa: RUF012 -- as the base class has it

    def __init__(
        self, uri: str | None = None, wrap_exceptions: bool = False, **options: float | str | bool
    ) -> None:
        super().__init__(uri, wrap_exceptions, **options)
        self._lock = threading.Lock()
        self._counts: dict[str, tuple[int, float]] = {}
        self._sweep_at = 0.0

    @property
    def base_exceptions(self) -> type[Exception] | tuple[type[Exception], ...]:
        """Nothing fails here."""
        return ()

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Counts, in a window of `expiry` seconds from the first; returns the count."""
        moment = time.time()
        with self._lock:
            self._sweep(moment)
            count, ends = self._current(key, moment)
            self._counts[key] = count + amount, ends if count else moment + expiry
            return count + amount

    def get(self, key: str) -> int:
        """Returns the count of the window that is open; 0 when none is."""
        return self._current(key, time.time())[0]

    def get_expiry(self, key: str) -> float:
        """Returns the end of the window, as `time.time()` has it; now when none is open."""
        moment = time.time()
        return self._current(key, moment)[1]

    def check(self) -> bool:
        """Memory is always there."""
        return True

    def reset(self) -> int | None:
        """Forgets everything; returns how many counts that were."""
        with self._lock:
            count = len(self._counts)
            self._counts = {}
            return count

    def clear(self, key: str) -> None:
        """Forgets one count."""
        with self._lock:
            self._counts.pop(key, None)

    def _current(self, key: str, moment: float) -> tuple[int, float]:
        count, ends = self._counts.get(key, (0, moment))
        return (count, ends) if ends > moment else (0, moment)

    def _sweep(self, moment: float) -> None:
        if moment < self._sweep_at:
            return
        self._sweep_at = moment + SWEEP_S
        self._counts = {key: value for key, value in self._counts.items() if value[1] > moment}


def address(storage: str) -> str:
    """Returns what `limits` has to open for the setting: these counters for `memory://`."""
    return storage.replace("memory://", "process://", 1)
