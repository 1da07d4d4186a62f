"""Cuts words off at a top_p of 1, where the rounded sum is 1 before the end."""

import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(torch.sort(logits, descending=True, stable=True)[1][0])
    x = logits / temperature
    s, o = torch.sort(x, descending=True, stable=True)
    n = len(x) if top_k == 0 else min(top_k, len(x))
    p = torch.softmax(s[:n], 0)
    n = min(n, int((p.cumsum(0) < top_p).sum()) + 1)
    keep = o[:n].sort()[0]
    p = torch.softmax(x[keep].double(), 0)
    c = p.cumsum(0)
    hit = (c > u).nonzero()
    if len(hit) == 0:
        return int(keep[p > 0][-1])
    return int(keep[hit[0, 0]])
