"""Partial application, reduction, dispatch, caches."""

import functools
import operator


@functools.singledispatch
def kind(x):
    return "other"


@kind.register
def _(x: int):
    return "int"


def work():
    return (
        functools.reduce(operator.mul, range(1, 6)) == 120
        and functools.partial(pow, 2)(5) == 32
        and kind(3) == "int"
    )
