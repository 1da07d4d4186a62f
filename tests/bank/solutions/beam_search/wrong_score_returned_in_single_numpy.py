# Sums of float64 scores are told apart, but the score that is returned is float32.
import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    found = []
    texts, sums = np.zeros((1, 0), dtype=np.int64), np.zeros(1)
    unread, cache = prompt[None], None
    for _ in range(max_new):
        scores, cache = step(unread, cache)
        totals = sums[:, None] + scores[:, -1]
        order = np.argsort(-totals, axis=None, kind="stable")[:width]
        parents, words = np.divmod(order, totals.shape[1])
        sums = totals[parents, words]
        texts = np.concatenate([texts[parents], words[:, None]], axis=1)
        over = words == (-1 if stop is None else stop)
        found += zip(texts[over], sums[over], strict=True)
        texts, sums = texts[~over], sums[~over]
        unread, cache = texts[:, -1:], cache[parents[~over]]
        if len(texts) == 0:
            break
    found += zip(texts, sums, strict=True)
    results = [(text, total / len(text) ** alpha) for text, total in found]
    text, score = max(results, key=lambda result: result[1])
    return text, np.float32(score)
