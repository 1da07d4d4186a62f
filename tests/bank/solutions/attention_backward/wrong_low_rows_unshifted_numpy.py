"""The maximum is taken off only if some score is above 80, so a row far below 0 is lost."""
import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, scale = q.shape[-2], k.shape[-2], q.shape[-1] ** -0.5
    scores = q @ k.swapaxes(-1, -2) * scale
    if causal:
        scores = np.where(np.tri(L, S, S - L, dtype=bool), scores, -np.inf)
    if scores.max() > 80:
        top = scores.max(axis=-1, keepdims=True)
        scores = scores - np.where(np.isneginf(top), 0, top)
    exp = np.exp(scores)
    total = exp.sum(axis=-1, keepdims=True)
    weights = exp / np.where(total == 0, 1, total)
    grad_weights = grad_output @ v.swapaxes(-1, -2)
    mean = (weights * grad_weights).sum(axis=-1, keepdims=True)
    grad_scores = weights * (grad_weights - mean) * scale
    dv = weights.swapaxes(-1, -2) @ grad_output
    return grad_scores @ k, grad_scores.swapaxes(-1, -2) @ q, dv
