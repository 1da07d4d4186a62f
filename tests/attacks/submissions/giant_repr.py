"""Return objects whose representation is a gigabyte.

rows: 84
verdicts: wrong_answer
"""


class Giant:
    def __repr__(self):
        return "x" * (1 << 30)

    __str__ = __repr__


Giant.__qualname__ = "G" * 100_000


def scaled_dot_product_attention(q, k, v, scale=None):
    return Giant(), Giant()
