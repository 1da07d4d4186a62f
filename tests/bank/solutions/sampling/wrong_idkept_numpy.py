"""WRONG: 'remembers nothing between calls: other logits of the same shape give other words': the kept words are remembered for the same array object.
Shown by logits[:] = logits[::-1].copy() between two calls with the same other arguments."""
import numpy as np

_last = [None, None, None]


def _kept(logits, temperature, top_k, top_p):
    key = (temperature, top_k, top_p)
    if _last[0] is not logits or _last[1] != key:
        raw = np.array(logits, dtype=np.float64)
        order = np.argsort(-raw, kind="stable")
        if top_k > 0:
            order = order[:top_k]
        order = order[raw[order] > -np.inf]
        p = np.exp((raw[order] - raw.max()) / temperature)
        p /= p.sum()
        if top_p < 1:
            order = order[np.cumsum(p) - p < top_p]
        words = np.sort(order)
        _last[:] = logits, key, (words, np.cumsum(np.exp((raw[words] - raw.max()) / temperature)))
    return _last[2]


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    words, sums = _kept(logits, temperature, top_k, top_p)
    return int(words[min(np.searchsorted(sums, u * sums[-1], side="right"), len(words) - 1)])
