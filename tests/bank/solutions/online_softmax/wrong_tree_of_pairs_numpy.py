# wrong: (m, l) of neighbouring blocks are merged in a tree; two hidden blocks that meet give exp(-inf - -inf) = NaN, which spreads to all weights
import numpy as np


def _merge(a, b):
    (m1, l1), (m2, l2) = a, b
    m = max(m1, m2)
    return m, l1 * np.exp(m1 - m) + l2 * np.exp(m2 - m)


def _leaf(x):
    m = x.max()
    return (m, np.exp(x - m).sum()) if m > -np.inf else (m, x.dtype.type(0))


def online_softmax(blocks):
    if all(np.isneginf(x).all() for x in blocks):
        return np.zeros_like(np.concatenate(blocks))
    parts = [_leaf(x) for x in blocks]
    while len(parts) > 1:
        merged = [_merge(*parts[i : i + 2]) for i in range(0, len(parts) - 1, 2)]
        parts = merged + parts[2 * len(merged) :]
    m, l = parts[0]
    return np.concatenate([np.exp(x - m) / l for x in blocks])
