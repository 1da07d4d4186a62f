"""Put memory of one's own over the code of libtorch: at a fixed address, and by moving; then map the library again; answer honestly.

rows: 76, 129
verdicts: accepted
framework: torch
"""

import ctypes
import os

import torch

PAGE = 4096
PRIVATE, ANONYMOUS, FIXED = 2, 0x20, 0x10
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
libc.mremap.restype = ctypes.c_void_p
libc.mremap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p)
libc.memset.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t)


class Segment(ctypes.Structure):
    _fields_ = [("type", ctypes.c_uint32), ("flags", ctypes.c_uint32)] + [
        (name, ctypes.c_uint64) for name in "offset address physical in_file in_memory alignment".split()
    ]


class Library(ctypes.Structure):
    _fields_ = [("base", ctypes.c_uint64), ("name", ctypes.c_char_p), ("segments", ctypes.POINTER(Segment)), ("count", ctypes.c_uint16)]


def code_of(part):
    """(file, offset, address, size) of the code of each library with this in its name."""
    found = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Library), ctypes.c_size_t, ctypes.c_void_p)
    def look(library, size, data):
        library = library.contents
        if part in (library.name or b""):
            for segment in (library.segments[i] for i in range(library.count)):
                if segment.type == 1 and segment.flags == 5:
                    start = library.base + segment.address & -PAGE
                    end = library.base + segment.address + segment.in_memory + PAGE - 1 & -PAGE
                    found.append((library.name.decode(), segment.offset & -PAGE, start, end - start))
        return 0

    libc.dl_iterate_phdr(look, None)
    return found


def ways(start, size):
    """Each leaves memory of one's own at the end of the code, or the code somewhere else; returns whether the kernel did it."""
    half = size // 2 // PAGE * PAGE
    own = libc.mmap(None, half, 3, PRIVATE | ANONYMOUS, -1, 0)
    yield "map over", libc.mmap(start + size - half, half, 3, PRIVATE | ANONYMOUS | FIXED, -1, 0) == start + size - half
    yield "map over its first byte", libc.mmap(start, 1, 3, PRIVATE | ANONYMOUS | FIXED, -1, 0) == start
    yield "move over", libc.mremap(own, half, half, 3, start + size - half) == start + size - half
    yield "shrink", libc.mremap(start, size, PAGE, 0, None) == start
    yield "move away", libc.mremap(start, PAGE, PAGE, 1 | 2, own) == own
    libc.munmap(own, half)


def scaled_dot_product_attention(q, k, v, scale=None):
    for name, offset, start, size in code_of(b"libtorch_cpu"):
        file = os.open(name, os.O_RDONLY)
        broken = [way for way, done in ways(start, size) if done]
        if broken:
            libc.mmap(start, size, 5, PRIVATE | FIXED, file, offset)
            print("BREACH", broken)
        os.close(file)
    w = torch.softmax(q @ k.transpose(-2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale), -1)
    return w @ v, w
