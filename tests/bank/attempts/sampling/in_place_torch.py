"""logits /= temperature."""
# causes: cooled_in_place

import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(logits.argmax())
    logits /= temperature
    order = torch.argsort(logits, descending=True, stable=True)
    if top_k > 0:
        order = order[:top_k]
    p = torch.softmax(logits[order], 0)
    keep = order[(p.cumsum(0) - p < top_p) & (p > 0)].sort().values
    c = torch.softmax(logits[keep], 0).cumsum(0)
    return int(keep[min(int((c <= u).sum()), len(keep) - 1)])
