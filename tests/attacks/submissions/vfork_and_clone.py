"""Make processes by raw system calls without end.

rows: 74
verdicts: runtime_error, time_limit_exceeded
limits: wall_s=0.5
"""
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def scaled_dot_product_attention(q, k, v, scale=None):
    made = 0
    for _ in range(2_000):
        for arguments in ((57,), (58,), (56, 0x11, 0, 0, 0, 0), (56, 0x10000000 | 17, 0, 0, 0, 0), (435, (ctypes.c_uint64 * 11)(), 88)):
            if libc.syscall(*arguments) >= 0:
                made += 1
                print("BREACH made a process")
    raise RuntimeError(f"{made} made")
