"""A last block of one score is joined to the one before it, in the list of the caller."""
import torch


def online_softmax(blocks):
    m = torch.tensor(-torch.inf, dtype=blocks[0].dtype)
    l = torch.zeros((), dtype=blocks[0].dtype)
    if len(blocks) > 1 and len(blocks[-1]) == 1:
        blocks[-2:] = [torch.cat(blocks[-2:])]
    for x in blocks:
        top = torch.maximum(m, x.max())
        if torch.isneginf(top):
            continue
        l = l * torch.exp(m - top) + torch.exp(x - top).sum()
        m = top
    w = torch.cat(blocks)
    if torch.isneginf(w).all():
        return torch.zeros_like(w)
    return torch.exp(w - m) / l
