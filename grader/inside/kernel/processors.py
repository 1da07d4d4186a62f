"""Gives judge and container a processor each. Used on both sides of the wall.

Left to itself the kernel may keep both on one: who is woken by a message is put beside its sender,
and where the other processor sleeps, a virtual machine takes it for busy.
"""

import ctypes
import functools
import os
import threading
from contextlib import suppress
from typing import Any

NONE = -1  # no processor is anybody's own
_staying = threading.Lock()


class Stay:
    """Keeps a thread on the processor where it is: one thread of a process at a time, since the
    kernel spreads several pairs of judge and container better.
    """

    def __init__(self) -> None:
        self._processor, self._thread, self._before = NONE, 0, set[int]()

    def begin(self) -> int:
        """Keeps the thread that calls, until `end`, and returns its processor; -1 where nothing is
        kept, as on a machine that has only one.
        """
        before = _allowed()
        if self._processor == NONE and len(before) > 1 and _staying.acquire(blocking=False):
            self._processor = _libc().sched_getcpu()
            self._thread, self._before = threading.get_native_id(), before
            _allow(self._thread, {self._processor})
        return self._processor

    def end(self) -> None:
        """Lets the thread go where it could go before, whichever thread calls."""
        if self._processor != NONE:
            self._processor = NONE
            _allow(self._thread, self._before)
            _staying.release()


def leave(processor: int) -> None:
    """Keeps this process off a processor, unless it is the only one."""
    if processor != NONE:
        _allow(0, _allowed() - {processor})


def _allowed() -> set[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


def _allow(thread: int, processors: set[int]) -> None:
    with suppress(OSError):  # refused: none is left, or the thread has ended
        os.sched_setaffinity(thread, processors)


@functools.cache
def _libc() -> Any:
    return ctypes.CDLL(None)
