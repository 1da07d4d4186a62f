"""Counters, deques, ordered and default dictionaries, chain maps."""

from collections import ChainMap, Counter, OrderedDict, defaultdict, deque


def work():
    groups = defaultdict(list)
    for word in "to be or not to be".split():
        groups[len(word)].append(word)
    return bool(
        Counter("attention").most_common(1)[0][0] == "t"
        and len(groups[2]) == 5
        and deque([1, 2], 1)[0] == 2
        and OrderedDict(a=1)
        and ChainMap({"a": 1})["a"] == 1
    )
