"""Return an object whose conversion to numbers never ends, inside a list.

rows: 47, 48
verdicts: wrong_answer, time_limit_exceeded
limits: wall_s=0.5
"""


class Lazy:
    def forever(self, *a, **k):
        while True:
            pass

    __array__ = __float__ = __index__ = __iter__ = __len__ = __getitem__ = __array_interface__ = __eq__ = __str__ = forever


def scaled_dot_product_attention(q, k, v, scale=None):
    return [Lazy(), 1.0], (Lazy(),)
