"""What a process has used, as the kernel tells it. Used on both sides of the wall."""

import contextlib
import os
import time

# one page table serves 512 pages; twice that is honest, and more belongs to pages that lie far
# apart
TABLES = 256


def usage(pid: int, status: int | None = None) -> dict[str, float]:
    """CPU milliseconds of a child so far, and the peaks of its address space and of its resident
    memory in KiB (0 where unknown).

    Page tables count where they are more than dense memory needs: a page of its own table each
    doubles what the kernel spends on it. `status` is its /proc/PID/status, left open by who asks
    often.
    """
    figures = {"cpu_ms": 0.0, "peak_kib": 0, "resident_kib": 0}
    with contextlib.suppress(OSError):
        figures["cpu_ms"] = time.clock_gettime((~pid << 3) | 2) * 1e3
    with contextlib.suppress(OSError):
        opened = os.open(f"/proc/{pid}/status", os.O_RDONLY) if status is None else status
        try:
            text = os.pread(opened, 4096, 0)
            peak = _kib(text, b"\nVmPeak:")
            figures["peak_kib"] = peak + max(0, _kib(text, b"\nVmPTE:") - peak // TABLES)
            figures["resident_kib"] = _kib(text, b"\nVmHWM:")
        finally:
            if status is None:
                os.close(opened)
    return figures


def _kib(text: bytes, key: bytes) -> int:
    at = text.find(key)
    return int(text[at + len(key) :].split(None, 1)[0]) if at >= 0 else 0


def address_space() -> int:
    """Bytes of address space of this process; very many where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1 << 40
