"""The nucleus with the temperature, the choice from the logits; ties by flip."""
# causes: temperature_for_the_nucleus_only, equals_the_other_way_round

import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(logits.argmax())
    logits = logits.double()
    order = torch.argsort(logits, stable=True).flip(0)
    if top_k > 0:
        order = order[:top_k]
    p = torch.softmax(logits[order] / temperature, 0)
    keep = order[(p.cumsum(0) - p < top_p) & (p > 0)].sort().values
    c = torch.softmax(logits[keep], 0).cumsum(0)
    return int(keep[min(int((c <= u).sum()), len(keep) - 1)])
