"""The ranking is made from float32."""
import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(logits.argmax())
    z = logits.double() / temperature
    order = torch.argsort(logits.float(), descending=True, stable=True)[: top_k or None]
    p = torch.softmax(z[order], 0)
    kept = order[(p.cumsum(0) - p < top_p) & (p > 0)].sort().values
    c = torch.softmax(z[kept], 0).cumsum(0)
    return int(kept[min(int((c <= u).sum()), len(kept) - 1)])
