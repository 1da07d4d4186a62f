"""Sort, mask, softmax, cumsum."""
# causes: none

import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return torch.argmax(logits).item()
    z = logits.double() / temperature
    values, order = torch.sort(z, descending=True, stable=True)
    if top_k > 0:
        values, order = values[:top_k], order[:top_k]
    probs = torch.softmax(values, dim=-1)
    cut = probs.cumsum(-1) - probs >= top_p
    probs = probs.masked_fill(cut, 0.0)
    probs = probs / probs.sum()
    full = torch.zeros(len(logits), dtype=torch.float64)
    full[order] = probs
    hits = torch.nonzero((full.cumsum(0) > u) & (full > 0))
    return int(hits[0]) if len(hits) else int(torch.nonzero(full)[-1])
