"""log-sum-exp with the maximum taken out."""
# causes: none

import numpy as np


def _log_probs(logits):
    m = logits.max(axis=1, keepdims=True)
    return logits - m - np.log(np.exp(logits - m).sum(axis=1, keepdims=True))


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    if not keep.any():
        return logits.dtype.type(0)
    return -_log_probs(logits)[keep, targets[keep]].mean()


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    grad = np.exp(_log_probs(logits))
    grad[keep, targets[keep]] -= 1
    grad[~keep] = 0
    return grad / max(keep.sum(), 1).astype(logits.dtype) if keep.any() else np.zeros_like(logits)
