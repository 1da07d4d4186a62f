"""Meet a neighbour in shared memory, in semaphores and in message queues; answer honestly.

rows: 101
verdicts: accepted
"""
import ctypes
import os

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)


def meet():
    for name, found in {
        "shmget": libc.shmget(0x5EED, 4096, 0o1666),
        "semget": libc.semget(0x5EED, 1, 0o1666),
        "msgget": libc.msgget(0x5EED, 0o1666),
        "shm_open": libc.shm_open(b"/attack-residue", 0o102, 0o666) if hasattr(libc, "shm_open") else -1,
    }.items():
        if found >= 0:
            print("BREACH", name)
    libc.mmap.restype = ctypes.c_void_p
    fd = os.open(os.__file__, os.O_RDONLY)
    shared = libc.mmap(None, 4096, 1, 1, fd, 0)
    if shared in (None, ctypes.c_void_p(-1).value) or libc.mprotect(ctypes.c_void_p(shared), 4096, 3) == 0:
        print("BREACH a shared page became writable, or was none")
    if libc.mmap(None, 4096, 3, 1, fd, 0) != ctypes.c_void_p(-1).value:
        print("BREACH a shared page is writable")


def scaled_dot_product_attention(q, k, v, scale=None):
    meet()
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
