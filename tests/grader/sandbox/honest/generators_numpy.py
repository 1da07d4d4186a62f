"""Generators, coroutines driven by hand, context managers."""

import contextlib


async def later():
    return 7


@contextlib.contextmanager
def opened():
    yield 5


def work():
    with opened() as five, contextlib.suppress(ZeroDivisionError):
        total = five + sum(n for n in range(4))
        try:
            later().send(None)
        except StopIteration as end:
            total += end.value
        total /= 0
    return total == 18
