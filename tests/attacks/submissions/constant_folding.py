"""Let the compiler itself compute a huge constant, before anything runs.

rows: 87, 93
verdicts: time_limit_exceeded, memory_limit_exceeded, runtime_error, compile_error, wrong_answer
limits: wall_s=1, memory_mib=256
"""


def scaled_dot_product_attention(q, k, v, scale=None):
    x = (((((1 << 1000) ** 8) ** 8) ** 8) ** 8, "a" * 4096 * 4096, (1,) * 250 * 250)
    return x
