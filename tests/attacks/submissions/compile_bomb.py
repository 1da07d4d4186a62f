"""Compile a source that grows while it is compiled.

rows: 93
verdicts: time_limit_exceeded, memory_limit_exceeded, runtime_error
limits: wall_s=1, memory_mib=256
"""


def scaled_dot_product_attention(q, k, v, scale=None):
    source = "x = 1\n" * 5_000_000
    while True:
        exec(compile(source, "bomb", "exec"))
