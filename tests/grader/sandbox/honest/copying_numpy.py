"""Deep copies, weak references, the garbage collector."""

import copy
import gc
import weakref


class Node:
    pass


def work():
    node = Node()
    node.me = node
    seen = weakref.ref(node)
    twin = copy.deepcopy(node)
    del node
    gc.collect()
    return seen() is None and twin.me is twin
