"""Gives judge and container a processor each. Used on both sides of the wall.

Left to itself the kernel may keep both on one: who is woken by a message is put beside its sender,
and where the other processor sleeps, a virtual machine takes it for busy.
"""

import ctypes
import functools
import os
import sys
import threading
from contextlib import suppress
from typing import Any

NONE = -1  # no processor is anybody's own


class Stay:
    """Keeps a thread on the processor where it is, if another one is free: where more is at work,
    the kernel spreads it better.
    """

    def __init__(self) -> None:
        self._processor, self._thread, self._before = NONE, 0, set[int]()

    def begin(self) -> int:
        """Keeps the thread that calls, until `end`, and returns its processor; -1 where nothing is
        kept.
        """
        before = _allowed()
        if self._processor == NONE and _running() < len(before):
            self._processor = _libc().sched_getcpu()
            self._thread, self._before = threading.get_native_id(), before
            _allow(self._thread, {self._processor})
        return self._processor

    def end(self) -> None:
        """Lets the thread go where it could go before, whichever thread calls."""
        if self._processor != NONE:
            self._processor = NONE
            _allow(self._thread, self._before)


def leave(processor: int) -> None:
    """Keeps this process off a processor, unless it is the only one."""
    if processor != NONE:
        _allow(0, _allowed() - {processor})


def _allowed() -> set[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


def _allow(thread: int, processors: set[int]) -> None:
    with suppress(OSError):  # refused: none is left, or the thread has ended
        os.sched_setaffinity(thread, processors)


def _running() -> int:
    """Returns how many threads of the machine are at work, with this one; very many where that
    is not told (proc_loadavg(5)).
    """
    with suppress(OSError, ValueError, IndexError), open("/proc/loadavg", "rb") as told:
        return int(told.read().split()[3].partition(b"/")[0])
    return sys.maxsize


@functools.cache
def _libc() -> Any:
    return ctypes.CDLL(None)
