"""The next token: temperature, top k, top p (Holtzman et al. 2020, section 3), and a choice."""

import torch


def next_token(logits, temperature, top_k, top_p, u):
    """logits (V,) -> the index of one word."""
    if temperature == 0:
        return int(torch.argmax(logits))
    ranked = torch.argsort(logits, descending=True, stable=True)  # of equals, the lower index first
    if top_k > 0:
        ranked = ranked[:top_k]
    p = torch.softmax(logits[ranked] / temperature, dim=0)
    better = torch.cumsum(p, dim=0) - p  # what all better words have together
    stays = ((better < top_p) | (top_p >= 1)) & (p > 0)  # a rounded sum may be 1 before its end
    kept = torch.sort(ranked[stays]).values  # in the order of the vocabulary again

    cumulative = torch.cumsum(torch.softmax(logits[kept] / temperature, dim=0), dim=0)
    place = int((cumulative <= u).sum())  # how many sums are u or less
    return int(kept[min(place, len(kept) - 1)])  # the last sum may be a little less than 1
