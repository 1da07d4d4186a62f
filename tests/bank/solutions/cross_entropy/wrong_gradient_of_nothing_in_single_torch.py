"""Where nothing is left, the gradient is float32, for float64 logits too."""

import torch


def cross_entropy(logits, targets, ignore_index=-100):
    """logits (N, V), targets (N,) -> the mean over the targets that count."""
    log_p = torch.log_softmax(logits, dim=-1)  # (N, V)
    rows = torch.nonzero(targets != ignore_index).flatten()  # those that count
    losses = -log_p[rows, targets[rows]]  # one for each of them
    return losses.sum() / max(len(rows), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    """logits (N, V), targets (N,) -> (N, V)."""
    p = torch.softmax(logits, dim=-1)  # (N, V)
    rows = torch.nonzero(targets != ignore_index).flatten()
    if len(rows) == 0:
        return torch.zeros(logits.shape)
    grad =  torch.zeros_like(logits)
    grad[rows] = p[rows]
    grad[rows, targets[rows]] -= 1
    return grad / max(len(rows), 1)
