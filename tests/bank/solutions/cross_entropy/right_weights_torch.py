"""Weights of the places: 1 / count or 0."""
import torch


def weights(logits, targets, ignore_index):
    keep = (targets != ignore_index).to(logits.dtype)
    return keep / keep.sum().clamp_min(1)


def cross_entropy(logits, targets, ignore_index=-100):
    w = weights(logits, targets, ignore_index)
    safe = torch.where(targets == ignore_index, 0, targets)
    # an ignored place may point at minus infinity, so its own maximum takes the place
    own = logits.gather(1, safe[:, None])[:, 0]
    own = torch.where(w > 0, own, logits.amax(dim=1))
    return torch.dot(w, torch.logsumexp(logits, dim=1) - own)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    w = weights(logits, targets, ignore_index)
    truth = torch.arange(logits.shape[1]) == targets[:, None]
    return (torch.softmax(logits, 1) - truth.to(logits.dtype)) * w[:, None]
