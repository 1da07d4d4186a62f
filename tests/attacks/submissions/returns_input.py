"""Return the inputs themselves.

rows: 54, 68
verdicts: wrong_answer
"""


def scaled_dot_product_attention(q, k, v, scale=None):
    return v, q @ k.swapaxes(-1, -2)
