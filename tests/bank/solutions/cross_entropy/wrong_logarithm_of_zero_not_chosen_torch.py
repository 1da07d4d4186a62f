# the logarithm of a probability of 0 is replaced by another formula, but its gradient is NaN all the same
import torch


def cross_entropy(logits, targets, ignore_index=-100):
    p = torch.softmax(logits, dim=-1)
    log_p = torch.where(p > 0, p.log(), logits - torch.logsumexp(logits, dim=-1, keepdim=True))
    counts = targets != ignore_index
    word = torch.where(counts, targets, 0)
    picked = log_p.gather(1, word[:, None])[:, 0]
    return -picked[counts].sum() / max(int(counts.sum()), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    counts = targets != ignore_index
    grad = torch.softmax(logits, dim=-1)[counts]
    grad[torch.arange(len(grad)), targets[counts]] -= 1
    result = torch.zeros_like(logits)
    result[counts] = grad / max(len(grad), 1)
    return result
