"""The prompt is read up to its first stop token only."""
import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    at = np.flatnonzero(prompt == (-1 if stop is None else stop))
    prompt = prompt[: at[0] + 1] if len(at) else prompt
    found, sums = [], np.zeros(1, dtype=np.float32)
    texts, unread, cache = np.zeros((1, 0), dtype=np.int64), prompt[None], None
    for _ in range(max_new):
        scores, cache = step(unread, cache)
        totals = sums[:, None] + scores[:, -1]
        order = np.argsort(-totals, axis=None, kind="stable")[:width]
        parents, words = np.divmod(order, totals.shape[1])
        texts = np.concatenate([texts[parents], words[:, None]], axis=1)
        sums, cache = totals[parents, words], cache[parents]
        open_ = words != (-1 if stop is None else stop)
        found += zip(texts[~open_], sums[~open_], strict=True)
        texts, sums, cache = texts[open_], sums[open_], cache[open_]
        unread = texts[:, -1:]
        if len(texts) == 0:
            break
    found += zip(texts, sums, strict=True)
    results = [(text, total / len(text) ** alpha) for text, total in found]
    return max(results, key=lambda result: result[1])
