"""Ask the kernel to merge one's pages with those of others, to push libraries out of memory, and for pages set aside; answer honestly.

rows: 77, 78
verdicts: accepted
"""

import ctypes

import numpy as np

PAGE, HUGE, MAP_HUGETLB = 4096, 2 << 20, 0x40000
ADVICE = {"merge": 12, "cold": 20, "push out": 21, "fill": 23, "gather": 25, "poison": 100}
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)


def advise():
    own = libc.mmap(None, 2 * HUGE, 3, 0x22, -1, 0)
    code = ctypes.cast(libc.malloc, ctypes.c_void_p).value & -PAGE
    for name, advice in ADVICE.items():
        for address, size in ((own, 2 * HUGE), (code, PAGE)):
            ctypes.set_errno(0)
            if libc.madvise(address, size, advice) == 0 or ctypes.get_errno() != 1:
                print("BREACH", name)
    ctypes.set_errno(0)
    if libc.mmap(None, HUGE, 3, 0x22 | MAP_HUGETLB, -1, 0) != ctypes.c_void_p(-1).value or ctypes.get_errno() != 1:
        print("BREACH pages set aside")


def scaled_dot_product_attention(q, k, v, scale=None):
    advise()
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
