"""Iterators without end, cut short."""

import itertools


def work():
    return (
        list(itertools.islice(itertools.accumulate(itertools.count(1)), 4)) == [1, 3, 6, 10]
        and len(list(itertools.permutations("abcd"))) == 24
    )
