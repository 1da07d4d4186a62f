"""The lower lane: work for which nobody waits gives way to learners.

It may go on while nothing of a learner's waits anywhere and this process judges nothing. A site
that is never quiet lets one piece of it through now and then, so that it comes to an end.
"""

import time
from collections.abc import Callable

PATIENCE_S = 30.0  # the longest that it waits for its turn
CLOSED_S = 0.1  # between two looks


class LowerLane:
    """Asked before each piece of such work."""

    def __init__(self, quiet: Callable[[], bool], patience: float = PATIENCE_S) -> None:
        self._quiet, self._patience = quiet, patience
        self._passed = time.monotonic()

    def open(self) -> bool:
        """Whether one piece may be done now."""
        if not self._quiet() and time.monotonic() - self._passed < self._patience:
            return False
        self._passed = time.monotonic()
        return True
