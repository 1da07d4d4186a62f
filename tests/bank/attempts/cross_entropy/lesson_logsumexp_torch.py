"""logsumexp minus the logit of the target."""
# causes: none

import torch


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    logits, targets = logits[keep], targets[keep]
    lse = torch.logsumexp(logits, dim=-1)
    own = logits[torch.arange(len(targets)), targets]
    return (lse - own).sum() / max(1, len(targets))


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    grad = torch.exp(logits - torch.logsumexp(logits, dim=-1, keepdim=True))
    grad[keep, targets[keep]] -= 1
    return grad * keep[:, None] / keep.sum().clamp(min=1)
