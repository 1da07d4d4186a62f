"""A warm interpreter is settled before it is cloned for long: who allocates afterwards writes to
one end of the heap, not all over it.
"""

import os
import subprocess
import sys

import pytest

HOLES = """
import ctypes
from grader.inside.kernel import memory

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = ctypes.c_void_p, (ctypes.c_size_t,), (ctypes.c_void_p,)
blocks = [libc.malloc(size) for size in SIZES for _ in range(2000)]
for block in blocks[::2]:
    libc.free(block)
if SETTLED:
    memory.settle()
print(sum(libc.malloc(size) < max(blocks) for size in SIZES for _ in range(200)))
"""
HEAP = """
from grader.inside.kernel import memory

memory.settle()
memory.settle()
print(len(bytearray(b"x" * (64 << 20)).replace(b"x", b"yy")))
"""


def printed(program: str) -> int:
    """What a program that runs in an interpreter of its own prints at its end."""
    return int(
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
        ).stdout
    )


@pytest.mark.skipif(
    not hasattr(os, "confstr") or "glibc" not in (os.confstr("CS_GNU_LIBC_VERSION") or ""),
    reason="the heap of glibc",
)
@pytest.mark.parametrize(
    ("settled", "in_holes"),
    [(False, 600), (True, 0)],
    ids=["as it was: all in the holes", "settled: none"],
)
def test_no_free_block_is_left_among_the_old_ones(settled: bool, in_holes: int) -> None:
    assert printed(f"SIZES, SETTLED = (48, 200, 700), {settled}\n{HOLES}") == in_holes


def test_settling_twice_harms_nothing() -> None:
    assert printed(HEAP) == 128 << 20
