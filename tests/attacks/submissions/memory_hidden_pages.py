"""Fill memory, then forbid access to it, so that it is neither data nor readable; give all of it back, and answer honestly.

rows: 76
verdicts: memory_limit_exceeded
elsewhere: accepted, wrong_answer
limits: memory_mib=64
"""

import ctypes

import numpy as np

PIECE = 8 << 20
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
libc.memset.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t)


def hoard():
    pieces = []
    for _ in range(10):
        piece = libc.mmap(None, PIECE, 3, 0x22, -1, 0)
        if piece == ctypes.c_void_p(-1).value:
            break
        libc.memset(piece, 1, PIECE)
        libc.mprotect(piece, PIECE, 0)
        pieces.append(piece)
    for piece in pieces:
        libc.munmap(piece, PIECE)


def scaled_dot_product_attention(q, k, v, scale=None):
    hoard()
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
