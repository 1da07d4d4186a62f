"""Unmap the code of libtorch, take that much more than the limit, give it back, map the library again, and answer honestly.

rows: 76, 129
verdicts: memory_limit_exceeded
elsewhere: accepted
framework: torch
limits: memory_mib=256
"""

import ctypes
import os

import torch

PAGE, PIECE = 4096, 16 << 20
PRIVATE, ANONYMOUS, FIXED = 2, 0x20, 0x10
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
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


def swap(part, extra):
    """Memory of the limit and `extra` bytes more, while the code is away."""
    gone = []
    for name, offset, start, size in code_of(part):
        file = os.open(name, os.O_RDONLY)
        if libc.munmap(start, size) == 0:
            gone.append((start, size, file, offset))
    pieces = []
    for _ in range(extra // PIECE):
        piece = libc.mmap(None, PIECE, 3, PRIVATE | ANONYMOUS, -1, 0)
        if piece is None or piece == ctypes.c_void_p(-1).value:
            break
        libc.memset(piece, 1, PIECE)
        pieces.append(piece)
    for piece in pieces:
        libc.munmap(piece, PIECE)
    for start, size, file, offset in gone:
        for at in range(0, size, PIECE):
            libc.mmap(start + at, min(PIECE, size - at), 5, PRIVATE | FIXED, file, offset + at)
        os.close(file)


calls = 0


def scaled_dot_product_attention(q, k, v, scale=None):
    global calls
    calls += 1
    if calls <= 3:  # in the samples and a hidden case
        swap(b"libtorch_cpu", (256 + 240) << 20)
    w = torch.softmax(q @ k.transpose(-2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale), -1)
    return w @ v, w
