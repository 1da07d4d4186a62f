"""No thought of ignore_index."""
# causes: ignored_targets_looked_up|ignored_targets_as_word_0, gradient_of_ignored_places|minus_100_always

import torch


def cross_entropy(logits, targets, ignore_index=-100):
    log_p = torch.log_softmax(logits, dim=-1)
    return -log_p[torch.arange(len(targets)), targets].mean()


def cross_entropy_backward(logits, targets, ignore_index=-100):
    grad = torch.softmax(logits, dim=-1)
    grad[torch.arange(len(targets)), targets] -= 1
    return grad / len(targets)
