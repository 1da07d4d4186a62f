"""Right: one query after the other; hidden keys are left out by index instead of being exponentiated, results go into preallocated arrays."""
import numpy as np


def _row(logits):
    weights = np.zeros_like(logits)
    (seen,) = np.nonzero(logits > -np.inf)
    part = logits[seen]
    part = np.exp(part - np.max(part))
    weights[seen] = part / part.sum()
    return weights


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    n, width = x.shape[0], w_q.shape[1]
    keys = np.dot(x, w_k)
    values = np.dot(x, w_v)
    weights = np.empty((n, n), dtype=x.dtype)
    output = np.empty((n, w_v.shape[1]), dtype=x.dtype)
    root = float(width) ** 0.5
    for i in range(n):
        logits = keys.dot(x[i].dot(w_q)) / root
        if mask is not None:
            logits = logits + mask[i]
        weights[i] = _row(logits)
        np.matmul(weights[i], values, out=output[i])
    return output, weights
