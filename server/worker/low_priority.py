"""The gate for low-priority work, for which nobody waits: it gives way to learners.

It is open while no submission waits anywhere and this process judges nothing. On a site that is
never idle it lets one job through now and then, so that the work comes to an end.
"""

import time
from collections.abc import Callable

PATIENCE_S = 30.0  # the longest time between two jobs
CLOSED_S = 0.1  # between two checks


class LowPriorityGate:
    """Checked before each low-priority job."""

    def __init__(self, idle: Callable[[], bool], patience: float = PATIENCE_S) -> None:
        self._idle, self._patience = idle, patience
        self._passed = time.monotonic()

    def open(self) -> bool:
        """Checks whether one job may be carried out now."""
        if not self._idle() and time.monotonic() - self._passed < self._patience:
            return False
        self._passed = time.monotonic()
        return True
