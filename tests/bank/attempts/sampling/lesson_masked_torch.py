"""-inf for what is cut off, as in generate()."""
# causes: none

import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(logits.argmax())
    logits = logits.double() / temperature
    order = torch.argsort(logits, descending=True, stable=True)
    out = torch.ones(len(logits), dtype=torch.bool)
    k = top_k if top_k > 0 else len(logits)
    out[order[:k]] = False
    logits = logits.masked_fill(out, -torch.inf)
    p = torch.softmax(logits, 0)[order]
    drop = (p.cumsum(0) - p) >= top_p
    logits = logits.masked_fill(torch.zeros_like(out).scatter(0, order, drop), -torch.inf)
    c = torch.softmax(logits, 0).cumsum(0)
    alive = torch.nonzero(logits > -torch.inf).flatten()
    for i in alive.tolist():
        if c[i] > u:
            return i
    return int(alive[-1])
