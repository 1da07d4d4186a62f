"""Keeps the libraries that a child inherits where they are: a system-call filter over their
addresses. Inside the room.

A submission is judged by the peak of its address space. Whoever unmaps 325 MiB of a library first
could map as much anew unseen, and whoever makes a library's code writable owns each page that it
writes to, without a byte of new address space. So the zygote, once it is warm, installs a filter
that every clone inherits: `munmap`, `mprotect`, `mremap` and `mmap` at a fixed address are refused
(EPERM) where they touch a mapping of a file. Memory without a file stays free to go: it was the
zygote's to write to, and `free` and the garbage collector give it back.

Written by hand rather than with libseccomp, which knows no sum of two arguments. See
docs/design/memory.md.
"""

import ctypes
import errno
import itertools
import os
import platform
import struct
from collections.abc import Iterable

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, MODE_FILTER = 22, 38, 2
MAP_FIXED, MREMAP_FIXED = 0x10, 2
NUMBERS = {  # mmap, mprotect, munmap, mremap
    "x86_64": (9, 10, 11, 25),
    "aarch64": (222, 226, 215, 216),
}
LARGEST = 70  # mappings, so that the filter stays below the kernel's 4096 instructions
TAG = 0xFF000000  # of the upper half of an address: arm64 and newer x86-64 ignore these bits

# Classic BPF (linux/filter.h): instructions, and where the kernel puts number and arguments of a
# call (struct seccomp_data).
LOAD, LOAD_MEM, STORE, TO_X = 0x20, 0x60, 0x02, 0x07
ADD, ADD_X, JUMP, EQUAL, GREATER, AT_LEAST, AT_LEAST_X, ANY_BIT, RETURN = (
    0x04,
    0x0C,
    0x05,
    0x15,
    0x25,
    0x35,
    0x3D,
    0x45,
    0x06,
)
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
START_LOW, START_HIGH, END_LOW, END_HIGH = range(4)  # words of scratch memory

Range = tuple[int, int]


def protect() -> None:
    """Installs the filter for this process and all that it clones.

    Raises `OSError` where the kernel refuses.
    """
    if platform.machine() not in NUMBERS:
        raise OSError(errno.ENOSYS, "no filter for this architecture")
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        code = program(files(maps), platform.machine())
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(code, len(code))
    fprog = ctypes.create_string_buffer(
        struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    )
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        PR_SET_SECCOMP, MODE_FILTER, fprog, 0, 0
    ):
        raise OSError(
            ctypes.get_errno(), f"cannot protect mappings: {os.strerror(ctypes.get_errno())}"
        )


def files(maps: Iterable[str]) -> list[Range]:
    """Returns the mappings of files in /proc/PID/maps as (start, end): neighbours joined, the
    largest ones, by address.
    """
    joined: list[Range] = []
    for line in maps:
        addresses, _, _, _, inode, *_ = line.split(None, 5)
        if inode == "0":
            continue
        start, end = (int(part, 16) for part in addresses.split("-"))
        if joined and joined[-1][1] == start:
            start, _ = joined.pop()
        joined.append((start, end))
    return sorted(sorted(joined, key=lambda span: span[0] - span[1])[:LARGEST])


def program(ranges: Iterable[Range], machine: str) -> bytes:
    """Returns the filter as BPF for sorted ranges of whole pages that do not overlap."""
    ranges = list(ranges)
    mmap, mprotect, munmap, mremap = NUMBERS[machine]
    code = _Code()
    code.add(LOAD, 0)
    for number, label in ((mmap, "mmap"), (mremap, "mremap"), (munmap, "own"), (mprotect, "own")):
        code.add(EQUAL, number, yes=label)
    code.add(RETURN, ALLOW)
    code.label("mmap")
    code.add(LOAD, _low(3))
    code.add(ANY_BIT, MAP_FIXED, yes="own")
    code.add(RETURN, ALLOW)
    code.label("own")
    _disjoint(code, ranges, 0, 1, then="allow")
    code.label("mremap")
    _disjoint(code, ranges, 0, 1, then="target")
    code.label("target")
    code.add(LOAD, _low(3))
    code.add(ANY_BIT, MREMAP_FIXED, no="allow")
    _disjoint(code, ranges, 4, 2, then="allow")
    code.label("allow")
    code.add(RETURN, ALLOW)
    code.label("refuse")
    code.add(RETURN, REFUSE)
    return code.assemble()


def _low(argument: int) -> int:
    return 16 + 8 * argument


def _disjoint(code: "_Code", ranges: list[Range], address: int, length: int, then: str) -> None:
    """Goes on at `then` when [address, address + length) touches no range; else to "refuse".

    The length need not be rounded up to pages: address and ranges begin with a page.
    """
    code.add(LOAD, _low(address) + 4)
    code.add(ANY_BIT, TAG, yes="refuse")
    code.add(STORE, START_HIGH)
    code.add(LOAD, _low(address))
    code.add(STORE, START_LOW)
    code.add(LOAD, _low(length))
    code.add(TO_X)
    code.add(LOAD_MEM, START_LOW)
    code.add(ADD_X)
    code.add(STORE, END_LOW)
    carried, summed = code.new(), code.new()
    code.add(AT_LEAST_X, no=carried)
    code.add(LOAD, _low(length) + 4)
    code.add(JUMP, yes=summed)
    code.label(carried)
    code.add(LOAD, _low(length) + 4)
    code.add(ADD, 1)
    code.label(summed)
    code.add(TO_X)
    code.add(LOAD_MEM, START_HIGH)
    code.add(ADD_X)
    code.add(STORE, END_HIGH)
    for start, end in ranges:
        before, beyond = code.new(), code.new()
        code.add(LOAD_MEM, START_HIGH)
        code.add(GREATER, end >> 32, yes=beyond)
        code.add(EQUAL, end >> 32, no=before)
        code.add(LOAD_MEM, START_LOW)
        code.add(AT_LEAST, end & 0xFFFFFFFF, yes=beyond)
        # it begins below the end of this range and above those before: it touches none if it ends
        # before this one
        code.label(before)
        code.add(LOAD_MEM, END_HIGH)
        code.add(GREATER, start >> 32, yes="refuse")
        code.add(EQUAL, start >> 32, no=then)
        code.add(LOAD_MEM, END_LOW)
        code.add(GREATER, start & 0xFFFFFFFF, yes="refuse", no=then)
        code.label(beyond)
    code.add(JUMP, yes=then)


class _Code:
    """Instructions with named places to jump to.

    A conditional jump reaches 255 instructions, so each goes by an unconditional one.
    """

    def __init__(self) -> None:
        # operation, constant, where an unconditional jump leads
        self._rows: list[tuple[int, int, str]] = []
        self._labels: dict[str, int] = {}
        self._names = itertools.count()

    def add(self, operation: int, constant: int = 0, yes: str = "", no: str = "") -> None:
        """Appends one instruction; without `yes` or `no` that branch goes on with the next one."""
        if operation == JUMP or not (yes or no):
            self._rows.append((operation, constant, yes))
            return
        both = bool(yes and no)
        branches = (0, 1) if yes else (1, 0)
        self._rows.append((operation | branches[0] << 16 | branches[1] << 24, constant, ""))
        self._rows.append((JUMP, 0, yes or no))
        if both:
            self._rows.append((JUMP, 0, no))

    def new(self) -> str:
        """Returns a name for a place that comes later."""
        return f"place {next(self._names)}"

    def label(self, name: str) -> None:
        """Names the place of the next instruction."""
        self._labels[name] = len(self._rows)

    def assemble(self) -> bytes:
        """Returns the array of struct sock_filter."""
        packed = []
        for at, (operation, constant, label) in enumerate(self._rows):
            value = self._labels[label] - at - 1 if label else constant
            packed.append(
                struct.pack(
                    "<HBBI", operation & 0xFFFF, operation >> 16 & 0xFF, operation >> 24, value
                )
            )
        return b"".join(packed)
