"""-inf for what is cut off, twice; the last word that stays as the fallback."""
import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return logits.argmax().item()
    z = (logits - logits.max()).double() / temperature
    rank = torch.argsort(torch.argsort(logits, descending=True, stable=True))
    z = z.masked_fill(rank >= (top_k or len(z)), -torch.inf)
    p = z.softmax(0)
    better = torch.stack([p[rank < r].sum() for r in rank])
    z = z.masked_fill(better >= top_p, -torch.inf)
    p = z.softmax(0)
    stays = torch.nonzero(p).flatten()
    at = int((p[stays].cumsum(0) <= u).sum())
    return stays[min(at, len(stays) - 1)]
