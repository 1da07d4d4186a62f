"""float64 inside, cast back."""
import torch


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    log_p = logits.double().log_softmax(-1)[keep]
    losses = -log_p.gather(1, targets[keep].unsqueeze(1))
    return (losses.sum() / max(1, losses.numel())).to(logits.dtype)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    grad = logits.double().softmax(-1) * keep[:, None]
    grad[keep, targets[keep]] -= 1
    return (grad / max(1, int(keep.sum()))).to(logits.dtype)
