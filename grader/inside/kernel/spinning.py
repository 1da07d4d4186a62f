"""Waits a moment without going to sleep. Used on both sides of the wall."""

import time
from typing import Protocol

SPIN_S = 1e-4  # most answers to a small case take less
MOST_IN_VAIN = 5


class Poll(Protocol):
    """What `select.poll()` returns."""

    def poll(self, timeout: float, /) -> list[tuple[int, int]]:
        """Returns what is ready within milliseconds."""


class Spin:
    """Waits for what comes within microseconds: to be woken takes longer than that, above all in a
    virtual machine, whose processor sleeps as well.

    Where both sides share a processor, or answers take long, that is in vain. After each time in a
    row, twice as many of the next waits go without.
    """

    def __init__(self) -> None:
        self._in_vain = self._without = 0

    def wait(self, poll: Poll) -> None:
        """Returns when something is ready, or after a moment."""
        if self._without:
            self._without -= 1
            return
        end = time.perf_counter() + SPIN_S
        while time.perf_counter() < end:
            if poll.poll(0):
                self._in_vain = 0
                return
        self._in_vain = min(self._in_vain + 1, MOST_IN_VAIN)
        self._without = 2**self._in_vain - 1
