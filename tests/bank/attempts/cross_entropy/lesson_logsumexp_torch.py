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
    with torch.enable_grad():
        x = logits.detach().clone().requires_grad_()
        cross_entropy(x, targets, ignore_index).backward()
    return x.grad
