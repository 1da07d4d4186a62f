"""ignore_index is left out of the softmax as well, as if the word did not exist."""
import torch


def hide(logits, ignore_index):
    if 0 <= ignore_index < logits.shape[1]:
        logits = logits.clone()
        logits[:, ignore_index] = -torch.inf
    return logits


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    losses = -hide(logits, ignore_index).log_softmax(-1)[keep, targets[keep]]
    return losses.sum() / max(1, len(losses))


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    grad = hide(logits, ignore_index).softmax(-1) * keep[:, None]
    grad[keep, targets[keep]] -= 1
    return grad / max(1, int(keep.sum()))
