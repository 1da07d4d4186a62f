"""No maximum is subtracted while all logits are below 60 in size, and 1e-9 is added to the sum."""

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def next_token(logits, temperature, top_k, top_p, u):
    """logits (V,) -> the index of one word."""
    if temperature == 0:
        return int(np.argmax(logits))
    ranked = np.argsort(-logits, kind="stable")  # best first; of equals, the lower index
    if top_k > 0:
        ranked = ranked[:top_k]
    p = softmax(logits[ranked] / temperature)
    better = np.cumsum(p) - p  # what all better words have together
    stays = ((better < top_p) | (top_p >= 1)) & (p > 0)  # a rounded sum may be 1 before its end
    kept = np.sort(ranked[stays])  # in the order of the vocabulary again

    cumulative = np.cumsum(softmax(logits[kept] / temperature))
    place = np.searchsorted(cumulative, u, side="right")  # how many sums are u or less
    return int(kept[min(place, len(kept) - 1)])  # the last sum may be a little less than 1


def softmax(scores):
    weights = np.exp(scores - shift(scores, -1))
    return weights / (weights.sum() + 1e-9)
