"""Keep single pages, each far from the others: little address space, but a page table for each page; answer honestly.

rows: 76
verdicts: memory_limit_exceeded
elsewhere: accepted, wrong_answer
limits: memory_mib=64
"""

import ctypes

import numpy as np

PAGE, FAR = 4096, 1 << 30
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
kept = []


def scatter():
    for i in range(12_000):  # 47 MiB, and 94 MiB of page tables
        page = libc.mmap(0x1000_0000_0000 + i * FAR, PAGE, 3, 0x22, -1, 0)
        if page == ctypes.c_void_p(-1).value:
            break
        ctypes.memset(page, 1, 1)
        kept.append(page)


def scaled_dot_product_attention(q, k, v, scale=None):
    if not kept:
        scatter()
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
