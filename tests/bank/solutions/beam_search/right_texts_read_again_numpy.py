"""No cache at all: every turn reads the texts from their beginning."""
import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    n = len(prompt)
    texts, sums, ended_texts, ended_scores = prompt[None], np.zeros((1,)), [], []
    for turn in range(1, max_new + 1):
        scores = step(texts)[0][:, -1].astype(np.float64)
        total = (sums[:, None] + scores).reshape(-1)
        order = sorted(range(total.size), key=lambda i: (-total[i], i))[:width]
        rows, words = np.unravel_index(order, scores.shape)
        texts, sums = np.c_[texts[rows], words], total[order]
        over = np.isin(words, [] if stop is None else [stop])
        ended_texts += list(texts[over, n:])
        ended_scores += list(sums[over] / turn**alpha)
        texts, sums = texts[~over], sums[~over]
        if not texts.size:
            break
    ended_texts += list(texts[:, n:])
    ended_scores += list(sums / turn**alpha)
    best = int(np.argmax(ended_scores))
    return ended_texts[best], prompt.dtype.type(0) + ended_scores[best]
