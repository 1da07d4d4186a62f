"""Starts a child's clocks at zero, so that they do not tell how long the machine has been running.
Inside the room.

A time namespace (time_namespaces(7), Linux 5.6 and newer) gives a process offsets for
CLOCK_MONOTONIC and CLOCK_BOOTTIME. They are written to /proc before the child covers it; where the
kernel has no such namespace, or /proc is read-only, the clocks stay as they are.
"""

import os
import time
from typing import Any

CLONE_NEWTIME = 0x80
BOOTTIME = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def restart(libc: Any) -> bool:
    """Moves this process to a new time namespace that begins now.

    Returns whether the kernel allowed it.
    """
    if libc.unshare(CLONE_NEWTIME) != 0:
        return False
    # Every child does this: no more calls than needed. What is open here, a child closes before it
    # has a submission.
    offsets = (
        f"monotonic {-int(time.monotonic())} 0\nboottime {-int(time.clock_gettime(BOOTTIME))} 0\n"
    )
    try:
        os.write(os.open("/proc/self/timens_offsets", os.O_WRONLY), offsets.encode())
        return bool(
            libc.setns(os.open("/proc/self/ns/time_for_children", os.O_RDONLY), CLONE_NEWTIME) == 0
        )
    except OSError:
        return False
