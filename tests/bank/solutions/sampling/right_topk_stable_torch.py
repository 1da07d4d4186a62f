"""A stable sort of the negatives, and cumulative sums in float64."""
import torch


def next_token(logits, temperature, top_k, top_p, u):
    values, order = torch.sort(-logits, stable=True)
    if temperature == 0:
        return order[0]
    k = min(top_k, len(order)) if top_k else len(order)
    w = torch.exp(-(values[:k] - values[0]).double() / temperature)
    share = w / w.sum()
    n = 1 + int((share.cumsum(0)[:-1] < top_p).sum())
    full = torch.zeros(len(logits), dtype=torch.float64)
    full[order[:n]] = share[:n]
    c = full.cumsum(0)
    token = int(torch.searchsorted(c, torch.tensor([u], dtype=c.dtype) * c[-1], right=True))
    return min(token, int(full.nonzero()[-1]))
