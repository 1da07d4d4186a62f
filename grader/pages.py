"""Huge pages for the warm interpreter: a clone then copies a hundred page-table entries instead of fifty thousand. Runs inside the room.

Linux 6.1 and newer gather private memory into huge pages on request (madvise(2), MADV_COLLAPSE). Elsewhere nothing happens, and a
verdict in PyTorch costs some ten milliseconds more.
"""

import contextlib
import ctypes
import sys

HUGE = 2 << 20
MADV_COLLAPSE = 25


def gather() -> None:
    """Gather this process's private writable memory. Takes some tenths of a second, once; never fails."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    with contextlib.suppress(OSError), open("/proc/self/maps", encoding="ascii") as maps:
        for line in maps.read().splitlines():
            addresses, permissions, _, _, inode, *name = line.split(None, 5)
            if "w" in permissions and inode == "0" and name in ([], ["[heap]"]):
                start, end = (int(part, 16) for part in addresses.split("-"))
                first, last = -(-start // HUGE) * HUGE, end // HUGE * HUGE
                if last > first:
                    libc.madvise(first, last - first, MADV_COLLAPSE)
