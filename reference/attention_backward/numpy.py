"""The gradients of scaled dot-product attention (Dao et al. 2022, appendix B.2)."""

import math

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    """q (..., L, D), k (..., S, D), v (..., S, Dv), grad_output (..., L, Dv) -> dq, dk, dv."""
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    scale = 1 / math.sqrt(D)

    scores = q @ transposed(k) * scale  # (..., L, S)
    if causal:
        scores = np.where(np.tri(L, S, S - L, dtype=bool), scores, -np.inf)
    weights = softmax(scores)  # (..., L, S)

    dv = transposed(weights) @ grad_output  # (..., S, Dv)
    grad_weights = grad_output @ transposed(v)  # (..., L, S)
    mean = (weights * grad_weights).sum(axis=-1, keepdims=True)  # (..., L, 1)
    grad_scores = weights * (grad_weights - mean)  # (..., L, S)
    dq = grad_scores @ k * scale  # (..., L, D)
    dk = transposed(grad_scores) @ q * scale  # (..., S, D)
    return dq, dk, dv


def transposed(x):
    return np.swapaxes(x, -2, -1)


def softmax(scores):
    top = scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isneginf(top), 0, top))
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)  # a query that sees nothing keeps its 0
