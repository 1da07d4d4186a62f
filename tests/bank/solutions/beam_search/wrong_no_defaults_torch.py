"""The stop token and alpha must be given."""

import torch


def beam_search(step, prompt, width, max_new, stop, alpha):
    """prompt (n,) -> the new tokens (k,) and their score ()"""
    found = []  # texts and their sums
    texts, sums = torch.zeros((1, 0), dtype=torch.int64), torch.zeros(1)
    unread, cache = prompt[None], None
    for _ in range(max_new):
        scores, cache = step(unread, cache)
        totals = sums[:, None] + scores[:, -1]  # (W, V)
        order = torch.argsort(totals.flatten(), descending=True, stable=True)[:width]
        parents, words = order // totals.shape[1], order % totals.shape[1]
        sums = totals[parents, words]
        texts = torch.cat([texts[parents], words[:, None]], dim=1)

        ended = words == (-1 if stop is None else stop)
        found += zip(texts[ended], sums[ended], strict=True)
        texts, sums = texts[~ended], sums[~ended]
        unread, cache = texts[:, -1:], cache[parents[~ended]]
        if len(texts) == 0:
            break
    found += zip(texts, sums, strict=True)
    results = [(text, total / len(text) ** alpha) for text, total in found]
    return max(results, key=lambda result: result[1])
