"""Grow one mapping by moving it, shrink it and grow it again, so that no single request is large and none is left at the end.

rows: 76
verdicts: memory_limit_exceeded
elsewhere: accepted, wrong_answer
limits: memory_mib=64
"""

import ctypes

import numpy as np

MIB, MAY_MOVE = 1 << 20, 1
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
libc.mremap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int)
libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
libc.memset.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t)


def grow():
    pieces = [libc.mmap(None, MIB, 3, 0x22, -1, 0) for _ in range(4)]
    for size in range(2, 21):
        pieces = [libc.mremap(piece, (size - 1) * MIB, size * MIB, MAY_MOVE) for piece in pieces]
    if None in pieces or ctypes.c_void_p(-1).value in pieces:
        return
    for piece in pieces:
        libc.memset(piece, 1, 20 * MIB)
    for piece in pieces:
        libc.munmap(libc.mremap(piece, 20 * MIB, MIB, MAY_MOVE), MIB)


def scaled_dot_product_attention(q, k, v, scale=None):
    grow()
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
