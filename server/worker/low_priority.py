"""The gate for low-priority work, for which nobody waits: it gives way to learners.

It is open while no submission waits anywhere and this process judges nothing. On a site that is
never idle it lets one job through now and then, so that the work comes to an end.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from grader.cache import others_wait
from grader.sandbox import Sandbox

PATIENCE_S = 30.0  # the longest time between two jobs
PAUSE_S = 2.0  # the longest time between two parts of a job, whose result a page shows
CLOSED_S = 0.1  # between two checks

T = TypeVar("T")


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


class GivingWay:
    """A sandbox that waits before each use until the gate is open.

    A new server computes samples, lessons and practice for minutes. Each runs many programs;
    between two of these it lets learners' submissions pass, except where a submission waits for
    what is computed.
    """

    def __init__(self, inner: Sandbox, gate: LowPriorityGate) -> None:
        self._inner, self._gate = inner, gate

    def __getattr__(self, name: str) -> Any:
        while not (others_wait() or self._gate.open()):
            time.sleep(CLOSED_S)
        return getattr(self._inner, name)


def giving_way(compute: Callable[..., T], gate: LowPriorityGate) -> Callable[..., T]:
    """The same function with a sandbox, its last argument, that gives way."""

    @wraps(compute)
    def patient(*arguments: Any) -> T:
        *others, sandbox = arguments
        return compute(*others, GivingWay(sandbox, gate))

    return patient
