"""Raise an exception whose class, message and bases all fail when they are looked at.

rows: 25, 84
verdicts: runtime_error
"""


class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit(0)

    @property
    def __mro__(cls):
        raise SystemExit(0)

    def __instancecheck__(cls, thing):
        raise SystemExit(0)


class Sly(Exception, metaclass=Meta):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__

    @property
    def __traceback__(self):
        raise SystemExit(0)


def scaled_dot_product_attention(q, k, v, scale=None):
    raise Sly
