"""Read the environment, the arguments, the descriptors and the memory of the parent and of every other process.

rows: 35
verdicts: runtime_error
elsewhere: nothing
"""
import os

calls = 0


def scaled_dot_product_attention(q, k, v, scale=None):
    global calls
    calls += 1
    if calls > 3:  # in the samples and a hidden case
        raise RuntimeError("looked before")
    for pid in ["1", str(os.getppid()), "self", *map(str, range(2, 400))]:
        for name in ("environ", "cmdline", "status", "fd", "mem", "maps", "root", "cwd"):
            path = f"/proc/{pid}/{name}"
            try:
                found = os.listdir(path) if name in ("fd", "root", "cwd") else open(path, "rb").read(64)
                print("BREACH read", path, found)
            except OSError:
                continue
    if os.listdir("/proc"):
        print("BREACH /proc holds", os.listdir("/proc")[:20])
    raise RuntimeError("nobody else is here")
