"""Lock memory, and ask the kernel to keep pages elsewhere, while taking all there is.

rows: 78
verdicts: memory_limit_exceeded
limits: memory_mib=64
"""
import ctypes
import mmap

libc = ctypes.CDLL(None, use_errno=True)


def scaled_dot_product_attention(q, k, v, scale=None):
    for flags in (1, 2, 4):
        if libc.mlockall(flags) == 0:
            print("BREACH mlockall")
    hoard = []
    while True:
        piece = mmap.mmap(-1, 8 << 20)
        piece.write(b"x" * len(piece))
        address = ctypes.addressof(ctypes.c_char.from_buffer(piece))
        if libc.mlock(ctypes.c_void_p(address), len(piece)) == 0:
            print("BREACH mlock")
        hoard.append(piece)
