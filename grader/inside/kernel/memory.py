"""A warm interpreter that is cheap to clone: fewer page-table entries to copy, and fewer pages that
every clone writes to. Inside the room. What a clone costs: docs/design/cloning.md.

A clone shares its parent's pages until it writes to them; then the kernel copies each one, in some
3 µs. Most of a verdict's processor time is that, so before the zygote goes on cloning for long it
settles its memory, once:

1. `_fill`: free blocks lie scattered over the heap, and whoever allocates writes to all of them in
   turn. They are taken and never given
   back, so that a clone allocates from one end (700 of 3,000 pages less).
2. `_gather`: Linux 6.1 and newer gather private memory into huge pages on request (madvise(2),
   MADV_COLLAPSE): a clone copies a
   hundred entries instead of fifty thousand (ten milliseconds in PyTorch).
3. `_extend`: the end of the heap is untouched room, which the first write makes one huge page (200
   pages less).

Each step does nothing where the system has no such thing. Figures: PyTorch, x86-64.
"""

import contextlib
import ctypes
import sys

HUGE = 2 << 20
MADV_HUGEPAGE, MADV_COLLAPSE = 14, 25
ROOM = 5 << 20  # of untouched heap: two huge pages, wherever it begins
POOL_CLASSES = range(16, 513, 16)  # bytes; CPython keeps smaller objects in pools of equal ones
ENOUGH = 8  # neighbours in a row: a fresh pool
TRIES = 1 << 14


class _Mallinfo(ctypes.Structure):
    """mallinfo(3), struct mallinfo2."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
        )
    ]


def settle() -> None:
    """Ready this process's memory for many clones.

    Takes some tenths of a second, once; never fails.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.malloc.restype = libc.sbrk.restype = ctypes.c_void_p
    libc.malloc.argtypes, libc.free.argtypes, libc.sbrk.argtypes = (
        (ctypes.c_size_t,),
        (ctypes.c_void_p,),
        (ctypes.c_ssize_t,),
    )
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    glibc = hasattr(libc, "mallinfo2")  # 2.33 and newer
    if glibc:
        _fill(libc)
    _gather(libc)
    if glibc:
        _extend(libc)


def _fill(libc: ctypes.CDLL) -> None:
    """Take every free block of the C heap below its end, then of CPython's pools."""
    libc.mallinfo2.restype = _Mallinfo
    libc.malloc_trim(0)
    end = libc.sbrk(0) - libc.mallinfo2().keepcost - 64
    for size in [1 << bits for bits in range(17, 10, -1)] + list(range(1032, 8, -16)):
        while block := libc.malloc(size):
            if block >= end:
                libc.free(block)
                break
    allocate = ctypes.pythonapi.PyObject_Malloc
    allocate.restype, allocate.argtypes = ctypes.c_void_p, (ctypes.c_size_t,)
    for size in POOL_CLASSES:
        row = last = 0
        for _ in range(TRIES):
            block = allocate(size) or 0
            row, last = row + 1 if block == last + size else 0, block
            if row == ENOUGH:
                break


def _gather(libc: ctypes.CDLL) -> None:
    """Gather the private writable memory into huge pages."""
    with contextlib.suppress(OSError), open("/proc/self/maps", encoding="ascii") as maps:
        for line in maps.read().splitlines():
            addresses, permissions, _, _, inode, *name = line.split(None, 5)
            if "w" in permissions and inode == "0" and name in ([], ["[heap]"]):
                start, end = (int(part, 16) for part in addresses.split("-"))
                _advise(libc, start, end, MADV_COLLAPSE)


def _extend(libc: ctypes.CDLL) -> None:
    """Untouched room at the end of the heap.

    A large block that was freed has raised the size from which blocks get maps of their own.
    """
    libc.free(libc.malloc(2 * ROOM))
    start = libc.sbrk(0)
    libc.free(libc.malloc(ROOM))
    _advise(libc, start, libc.sbrk(0), MADV_HUGEPAGE)


def _advise(libc: ctypes.CDLL, start: int, end: int, advice: int) -> None:
    """madvise(2) of the whole huge pages between two addresses."""
    first, last = -(-start // HUGE) * HUGE, end // HUGE * HUGE
    if last > first:
        libc.madvise(first, last - first, advice)
