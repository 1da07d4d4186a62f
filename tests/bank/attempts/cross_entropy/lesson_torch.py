"""F.log_softmax and gather."""
# causes: none

import torch
import torch.nn.functional as F


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    log_p = F.log_softmax(logits, dim=-1)
    picked = log_p.gather(1, targets.masked_fill(~keep, 0).unsqueeze(1)).squeeze(1)
    picked = torch.where(keep, picked, torch.zeros_like(picked))
    return -picked.sum() / keep.sum().clamp(min=1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    p = F.softmax(logits, dim=-1)
    hot = F.one_hot(targets.masked_fill(~keep, 0), logits.size(1))
    return (p - hot) * keep.unsqueeze(1) / keep.sum().clamp(min=1)
