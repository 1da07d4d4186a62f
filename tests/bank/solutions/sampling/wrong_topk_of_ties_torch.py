"""torch.topk, and ties to the higher index."""
import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(logits.argmax())
    z = logits.double() / temperature
    flipped = z.flip(0)
    values, order = torch.sort(flipped, descending=True, stable=True)
    order = len(z) - 1 - order
    k = min(top_k, len(z)) if top_k else len(z)
    p = torch.softmax(values[:k], 0)
    kept = order[:k][(p.cumsum(0) - p < top_p) & (p > 0)].sort().values
    c = torch.softmax(z[kept], 0).cumsum(0)
    return int(kept[min(int((c <= u).sum()), len(kept) - 1)])
