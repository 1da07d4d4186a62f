"""Stops when no open text can become better, however long it gets."""

import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    scores, cache = step(prompt[None, :], None)
    live, sums = [[]], np.zeros(1, scores.dtype)
    done = []
    for turn in range(max_new):
        total = sums[:, None] + scores[:, -1]
        vocabulary = total.shape[1]
        order = np.argsort(-total.ravel(), kind="stable")[:width]
        rows, words = order // vocabulary, order % vocabulary
        texts = [live[r] + [int(w)] for r, w in zip(rows, words)]
        totals = total.ravel()[order]
        ended = words == stop if stop is not None else np.zeros(len(words), bool)
        done += [(t, s) for t, s, e in zip(texts, totals, ended) if e]
        live = [t for t, e in zip(texts, ended) if not e]
        sums = totals[~ended]
        if done and len(live):
            best = max(s / len(t) ** alpha for t, s in done)
            if best >= max(sums) / max_new**alpha:
                break
        if not live or turn == max_new - 1:
            break
        last = np.array([t[-1:] for t in live])
        scores, cache = step(last, cache[rows[~ended]])
    results = done + list(zip(live, sums))
    final = [s / len(t) ** alpha for t, s in results]
    best = int(np.argmax(final))
    return np.array(results[best][0], dtype=np.int64), scores.dtype.type(final[best])
