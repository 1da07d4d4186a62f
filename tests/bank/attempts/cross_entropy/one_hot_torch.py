"""One-hot times log-softmax."""
# causes: truth_times_logarithm

import torch
import torch.nn.functional as F


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    log_p = F.log_softmax(logits[keep], dim=-1)
    truth = F.one_hot(targets[keep], logits.size(-1)).to(log_p.dtype)
    return -(truth * log_p).sum() / max(int(keep.sum()), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    grad = torch.zeros_like(logits)
    truth = F.one_hot(targets[keep], logits.size(-1)).to(logits.dtype)
    grad[keep] = F.softmax(logits[keep], dim=-1) - truth
    return grad / max(int(keep.sum()), 1)
