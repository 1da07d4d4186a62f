"""The libraries that a child inherits stay where they are: the filter, argument by argument, and in
a room. See docs/design/memory.md.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.inside.kernel import mappings
from grader.model import Ended, Framework, Limits
from grader.sandbox import SandboxPool
from tests.attacks.matrix import zygote_of
from tests.grader.sandbox.test_sandbox import here, once, rooms  # noqa: F401
from tests.grader.sandbox.test_seccomp import ALLOW, EPERM, decide

PAGE = 4096
MACHINE = "x86_64"
MMAP, MPROTECT, MUNMAP, MREMAP = mappings.NUMBERS[MACHINE]
GIB_4 = 1 << 32
RANGES = [  # within 4 GiB, over their edge, neighbours a page apart, and as high as an address goes
    (0x40_0000, 0x40_1000),
    (0x7000_0000, 0x7100_0000),
    (GIB_4 - 0x2000, GIB_4 + 0x3000),
    (GIB_4 + 0x4000, GIB_4 + 0x5000),
    (0x7F12_0000_0000, 0x7F12_2000_0000),
    (0x7F12_FFFF_F000, 0x7F13_0000_1000),
    (0xFF_FFFF_FF00_0000, 0xFF_FFFF_FF00_F000),
]
MAPS = """\
55d0c0000000-55d0c0001000 r--p 00000000 fe:00 1234 /usr/bin/python3.11
55d0c0001000-55d0c0003000 r-xp 00001000 fe:00 1234 /usr/bin/python3.11
55d0c1000000-55d0c2000000 rw-p 00000000 00:00 0 [heap]
7f0000000000-7f0000100000 rw-p 00000000 00:00 0
7f0000100000-7f0000180000 r-xp 00000000 fe:00 77 /lib/a name with 0 spaces.so
7f0000180000-7f0000181000 rw-p 00000000 00:00 0
7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0 [stack]
"""


def touches(address: int, length: int) -> bool:
    """Whether [address, address + length) has a byte in one of the ranges."""
    return any(address < end and address + length > start for start, end in RANGES)


def calls() -> Iterator[tuple[int, int]]:
    """Addresses and lengths: each edge by a byte and by a page, then at random, near the ranges and
    anywhere.
    """
    edges = [edge for pair in RANGES for edge in pair]
    for edge in edges:
        for address in (edge - PAGE, edge, edge + PAGE, edge - 0x8000):
            yield from (
                (address, length)
                for length in (
                    1,
                    PAGE - 1,
                    PAGE,
                    PAGE + 1,
                    2 * PAGE,
                    0x8000,
                    0x8001,
                    GIB_4,
                    1 << 47,
                )
            )
    drawn = random.Random(7)
    for _ in range(1000):
        address = drawn.choice(
            [drawn.choice(edges) + drawn.randrange(-64, 64) * PAGE, drawn.randrange(1 << 35) * PAGE]
        )
        yield (
            max(0, address),
            drawn.choice([drawn.randrange(1, 1 << 16), drawn.randrange(1, 1 << 40)]),
        )


@pytest.fixture(scope="module")
def program() -> bytes:
    return mappings.program(RANGES, MACHINE)


@pytest.mark.parametrize(
    ("number", "place"),
    [
        (MUNMAP, lambda address, length: (address, length)),
        (MPROTECT, lambda address, length: (address, length, 7)),
        (MMAP, lambda address, length: (address, length, 3, 0x32)),
        (MREMAP, lambda address, length: (address, length, 1, 0)),
        (MREMAP, lambda address, length: (0x1000, PAGE, length, 3, address)),
    ],
    ids=["munmap", "mprotect", "mmap-fixed", "mremap-from", "mremap-to"],
)
def test_a_call_is_refused_where_it_touches_a_range_and_nowhere_else(
    number: int, place: object, program: bytes
) -> None:
    assert callable(place)
    seen = list(calls())
    wrong = [
        pair
        for pair in seen
        if decide(program, number, place(*pair)) != (EPERM if touches(*pair) else ALLOW)
    ]
    assert wrong == []
    assert min(sum(touches(*pair) for pair in seen), sum(not touches(*pair) for pair in seen)) > 100


def test_other_calls_pass(program: bytes) -> None:
    start, end = RANGES[1]
    assert {
        decide(program, number, (start, end - start))
        for number in range(500)
        if number not in mappings.NUMBERS[MACHINE]
    } == {ALLOW}
    # a wish, which the kernel grants where nothing is
    assert decide(program, MMAP, (start, PAGE, 3, 0x22)) == ALLOW
    # without MREMAP_FIXED nobody reads the fifth
    assert decide(program, MREMAP, (0x1000, PAGE, 2 * PAGE, 1, start)) == ALLOW


@pytest.mark.parametrize("number", [MUNMAP, MPROTECT, MREMAP])
def test_no_tag_hides_an_address(number: int, program: bytes) -> None:
    """The kernel ignores the highest bits of some addresses (untagged_addr): on arm64 always, on
    x86-64 on request.
    """
    start, _ = RANGES[4]
    assert {
        decide(program, number, (start | bits << 56, PAGE)) for bits in (1, 0x7F, 0x80, 0xFF)
    } == {EPERM}


def test_neighbours_are_one_and_memory_without_a_file_is_none() -> None:
    assert mappings.files(MAPS.splitlines()) == [
        (0x55D0C0000000, 0x55D0C0003000),
        (0x7F0000100000, 0x7F0000180000),
    ]


def test_the_largest_are_kept_where_there_are_too_many() -> None:
    lines = [
        f"{at * 0x100000:x}-{at * 0x100000 + at * PAGE:x} r-xp 00000000 fe:00 9 /lib/{at}.so"
        for at in range(1, 200)
    ]
    found = mappings.files(reversed(lines))
    assert (len(found), found) == (mappings.LARGEST, sorted(found))
    assert min(end - start for start, end in found) == (200 - mappings.LARGEST) * PAGE
    for machine in mappings.NUMBERS:
        assert len(mappings.program(found, machine)) // 8 <= 4096


# -- in a room

INHERITED = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = libc.mremap.restype = libc.malloc.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
libc.mremap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p)
libc.munmap.argtypes = libc.malloc.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
libc.free.argtypes = (ctypes.c_void_p,)
FAILED = ctypes.c_void_p(-1).value
code = ctypes.cast(libc.qsort, ctypes.c_void_p).value & -4096
own = libc.mmap(None, 1 << 20, 3, 0x22, -1, 0)
def refused(result):
    return result in (-1, FAILED) and ctypes.get_errno() == 1
"""
REFUSED = {
    "unmapped": "libc.munmap(code, 4096)",
    "unmapped from below": "libc.munmap(code - (1 << 30), 1 << 31)",
    "made writable": "libc.mprotect(code, 4096, 7)",
    "mapped over": "libc.mmap(code, 4096, 3, 0x32, -1, 0)",
    "moved over": "libc.mremap(own, 4096, 4096, 3, code)",
    "moved away": "libc.mremap(code, 4096, 4096, 3, own)",
    "copied away": "libc.mremap(code, 4096, 4096, 5, None)",
}
GRANTED = {
    "one's own is unmapped": "libc.munmap(own, 1 << 20) == 0",
    "one's own is made writable": "libc.mprotect(own, 4096, 7) == 0",
    "one's own is mapped over": "libc.mmap(own, 4096, 3, 0x32, -1, 0) == own",
    "one's own grows": "libc.mremap(own, 1 << 20, 1 << 22, 1, None) != FAILED",
    "the heap gives back": (
        "not any(libc.free(libc.malloc(size, 0)) for size in (100, 1 << 17, 1 << 24) * 50)"
    ),
    "a module of the standard library is loaded": "__import__('_lsprof').__name__ == '_lsprof'",
}


@here
@pytest.mark.parametrize("attempt", REFUSED.values(), ids=REFUSED.keys())
def test_no_library_is_moved_in_a_room(rooms: SandboxPool, attempt: str) -> None:  # noqa: F811
    run = once(rooms, f"{INHERITED}\nctypes.set_errno(0)\nreturn refused({attempt})")
    assert run.ended is Ended.RETURNED, run
    assert run.tensors["answer"].item() is True


@here
@pytest.mark.parametrize("attempt", GRANTED.values(), ids=GRANTED.keys())
def test_what_is_a_childs_own_it_may_give_back(rooms: SandboxPool, attempt: str) -> None:  # noqa: F811
    run = once(rooms, f"{INHERITED}\nreturn {attempt}")
    assert run.ended is Ended.RETURNED, run
    assert run.tensors["answer"].item() is True


@pytest.mark.parametrize("framework", Framework)
def test_every_library_of_a_zygote_is_in_its_filter(
    framework: Framework, sandbox: SandboxPool
) -> None:
    maps = Path(f"/proc/{zygote_of(sandbox, framework)}/maps").read_text()
    joined = mappings.files(maps.splitlines())
    assert len(joined) < mappings.LARGEST
    missed = [
        line
        for line in maps.splitlines()
        if ".so" in line and not any(_inside(line, pair) for pair in joined)
    ]
    assert missed == []


def _inside(line: str, pair: tuple[int, int]) -> bool:
    start, end = (int(part, 16) for part in line.split()[0].split("-"))
    return pair[0] <= start and end <= pair[1]


# -- what the limit does not count


@pytest.mark.parametrize("framework", Framework)
def test_what_a_child_may_rewrite_besides_is_as_documented(
    framework: Framework, sandbox: SandboxPool
) -> None:
    """The zygote's own writable memory is a clone's to copy: docs/design/memory.md names how much."""
    status = Path(f"/proc/{zygote_of(sandbox, framework)}/status").read_text()
    (writable,) = re.findall(r"^VmData:\s+(\d+) kB", status, re.MULTILINE)
    page = (Path(mappings.__file__).parents[3] / "docs" / "design" / "memory.md").read_text()
    (documented,) = re.findall(
        rf"(\d+) MiB in {'NumPy' if framework is Framework.NUMPY else 'PyTorch'}", page
    )
    assert int(writable) / 1024 < int(documented)


FAR_APART = """
import ctypes
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
for i in range(6000):
    ctypes.memset(libc.mmap(0x100000000000 + (i << STEP), 4096, 3, 0x22, -1, 0), 1, 1)
return 1.0
"""


@here
def test_page_tables_count_where_pages_lie_far_apart(rooms: SandboxPool) -> None:  # noqa: F811
    limits = Limits(wall_s=30, cpu_s=20, memory_mib=48)
    near, far = (once(rooms, FAR_APART.replace("STEP", step), limits) for step in ("12", "30"))
    assert (near.ended, far.ended) == (Ended.RETURNED, Ended.MEMORY)
    assert 23 < near.memory_mib < 27 < 60 < far.memory_mib < 80
