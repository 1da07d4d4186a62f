"""Announce a million tensors without entries in a header of 62 MiB.

rows: 124
verdicts: wrong_answer
"""
import os
import struct
import time


def scaled_dot_product_attention(q, k, v, scale=None):
    entry = b'":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}'
    thousand = b",".join(b'"N%03d' % i + entry for i in range(1000))
    header = b"{" + b",".join(thousand.replace(b"N", b"%d" % i) for i in range(1, 1101)) + b"}"
    text = b'{"frame":"result","index":0,"ended":"returned","dtypes":{"output":"float32"}}'
    frame = struct.pack("<IQ", len(text), 8 + len(header)) + text + struct.pack("<Q", len(header)) + header
    for at in range(0, len(frame), 1 << 16):
        os.write(3, frame[at : at + (1 << 16)])
    time.sleep(60)
