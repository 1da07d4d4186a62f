"""In the last turn, an open text comes before one that has ended with the same sum."""

import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    scores, cache = step(prompt[None], None)
    dtype = scores.dtype
    sums = np.zeros(1, dtype)
    texts = np.zeros((1, 0), np.int64)
    results = []
    for turn in range(max_new):
        total = sums[:, None] + scores[:, -1]
        V = total.shape[1]
        order = np.argsort(-total.ravel(), kind="stable")[:width]
        parents, words = order // V, order % V
        texts = np.concatenate([texts[parents], words[:, None]], 1)
        sums = total.ravel()[order]
        ended = words == stop if stop is not None else np.zeros(len(words), bool)
        if turn == max_new - 1:
            break
        for t, s in zip(texts[ended], sums[ended]):
            results.append((t, s))
        texts, sums, parents = texts[~ended], sums[~ended], parents[~ended]
        if not len(texts):
            break
        scores, cache = step(texts[:, -1:], cache[parents])
    results += list(zip(texts, sums))
    norm = [s / dtype.type(len(t) ** alpha) for t, s in results]
    i = int(np.argmax(norm))
    return results[i][0], norm[i]
