"""Everything below the k-th value becomes -inf."""
# causes: all_equals_stay

import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(torch.argmax(logits))
    logits = logits.double() / temperature
    if top_k > 0:
        k = min(top_k, len(logits))
        kth = torch.topk(logits, k).values[-1]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    p, order = torch.softmax(logits, 0).sort(descending=True, stable=True)
    keep = (p.cumsum(0) - p < top_p) & (p > 0)
    idx = order[keep].sort().values
    c = torch.softmax(logits[idx], 0).cumsum(0)
    return int(idx[min(int((c <= u).sum()), len(idx) - 1)])
