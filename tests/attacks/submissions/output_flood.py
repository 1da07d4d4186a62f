"""Print without end.

rows: 81
verdicts: output_limit_exceeded
"""


def scaled_dot_product_attention(q, k, v, scale=None):
    while True:
        print("x" * 10_000)
