"""Looks up ignored targets that lie above the vocabulary."""

import torch


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    lp = torch.log_softmax(logits, -1)
    safe = targets.clamp(min=0)
    picked = lp.gather(1, safe[:, None])[:, 0]
    picked = torch.where(keep, picked, torch.zeros_like(picked))
    return -picked.sum() / keep.sum().clamp(min=1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    g = torch.softmax(logits.detach(), -1)
    safe = targets.masked_fill(~keep, 0)
    g = g.scatter_add(1, safe[:, None], torch.full_like(g[:, :1], -1.0))
    g[~keep] = 0
    return g / max(int(keep.sum()), 1)
