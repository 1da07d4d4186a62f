"""A loop with .item()."""
# causes: a_plain_number

import torch


def cross_entropy(logits, targets, ignore_index=-100):
    total, n = 0.0, 0
    log_p = torch.log_softmax(logits, dim=-1)
    for i in range(len(targets)):
        if targets[i].item() != ignore_index:
            total -= log_p[i, targets[i]].detach()
            n += 1
    return torch.as_tensor(total / max(n, 1), dtype=logits.dtype)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    grad = torch.softmax(logits, dim=-1).clone()
    n = max(int((targets != ignore_index).sum()), 1)
    for i in range(len(targets)):
        if targets[i].item() == ignore_index:
            grad[i] = 0
        else:
            grad[i, targets[i]] -= 1
    return grad / n
