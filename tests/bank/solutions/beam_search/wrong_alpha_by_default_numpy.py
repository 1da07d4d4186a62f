"""The length is made up for where nobody has asked for it."""

import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.6):
    """prompt (n,) -> the new tokens (k,) and their score ()"""
    found = []  # texts and their sums
    texts, sums = np.zeros((1, 0), dtype=np.int64), np.zeros(1, dtype=np.float32)
    unread, cache = prompt[None], None
    for _ in range(max_new):
        scores, cache = step(unread, cache)
        totals = sums[:, None] + scores[:, -1]  # (W, V)
        order = np.argsort(-totals, axis=None, kind="stable")[:width]
        parents, words = np.divmod(order, totals.shape[1])
        sums = totals[parents, words]
        texts = np.concatenate([texts[parents], words[:, None]], axis=1)

        ended = words == (-1 if stop is None else stop)
        found += zip(texts[ended], sums[ended], strict=True)
        texts, sums = texts[~ended], sums[~ended]
        unread, cache = texts[:, -1:], cache[parents[~ended]]
        if len(texts) == 0:
            break
    found += zip(texts, sums, strict=True)
    results = [(text, total / len(text) ** alpha) for text, total in found]
    return max(results, key=lambda result: result[1])
