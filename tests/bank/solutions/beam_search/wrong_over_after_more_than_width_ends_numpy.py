"""Stops when more than width texts have ended."""

import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    sums = None
    texts = [[]]
    ended = []
    feed, cache = prompt[None], None
    for t in range(max_new):
        s, cache = step(feed, cache)
        s = s[:, -1]
        total = s if sums is None else sums[:, None] + s
        V = total.shape[1]
        order = np.argsort(-total.ravel(), kind="stable")[:width]
        rows, words = order // V, order % V
        vals = total.ravel()[order]
        texts = [texts[r] + [int(w)] for r, w in zip(rows, words)]
        stopped = words == stop if stop is not None else np.zeros(len(words), bool)
        ended += [(v, x) for v, x, e in zip(vals, texts, stopped) if e]
        texts = [x for x, e in zip(texts, stopped) if not e]
        sums, rows, words = vals[~stopped], rows[~stopped], words[~stopped]
        if not texts or len(ended) > width:
            break
        feed, cache = words[:, None], cache[rows]
    results = ended + list(zip(sums, texts))
    sc = np.array([v / v.dtype.type(len(x) ** alpha) for v, x in results])
    i = int(np.argmax(sc))
    return np.array(results[i][1], dtype=np.int64), sc[i]
