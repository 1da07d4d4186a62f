"""Send an error whose every field is a nest of lists as deep as a parser takes.

rows: 58
verdicts: runtime_error, wrong_answer
limits: wall_s=0.5
"""
import os
import struct
import time


def scaled_dot_product_attention(q, k, v, scale=None):
    nest = b"[" * 800 + b"]" * 800
    text = b'{"frame":"result","index":0,"ended":"raised","error":{"type":%b,"text":%b,"bases":[%b],"trace":%b,"lineno":%b}}' % ((nest,) * 5)
    os.write(3, struct.pack("<IQ", len(text), 0) + text)
    time.sleep(60)
