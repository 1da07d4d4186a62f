"""Starts a child's clocks at zero, so that they do not tell how long the machine has been running. Inside the room.

A time namespace (time_namespaces(7), Linux 5.6 and newer) gives a process offsets for CLOCK_MONOTONIC and CLOCK_BOOTTIME. They are
written to /proc before the child covers it; where the kernel has no such namespace, or /proc is read-only, the clocks stay as they are.
"""

import contextlib
import ctypes
import os
import time

CLONE_NEWTIME = 0x80
CLOCKS = {"monotonic": time.CLOCK_MONOTONIC, "boottime": getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)}


def restart() -> bool:
    """Moves this process to a new time namespace that begins now. Returns whether the kernel allowed it."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWTIME) != 0:
        return False
    with contextlib.suppress(OSError):
        lines = (f"{name} {-int(time.clock_gettime(clock))} 0\n" for name, clock in CLOCKS.items())
        _write("/proc/self/timens_offsets", "".join(lines).encode())
        namespace = os.open("/proc/self/ns/time_for_children", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return bool(libc.setns(namespace, CLONE_NEWTIME) == 0)
        finally:
            os.close(namespace)
    return False


def _write(path: str, content: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(file, content)
    finally:
        os.close(file)
