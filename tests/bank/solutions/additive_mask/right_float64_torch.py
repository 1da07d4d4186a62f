"""Right: float64 inside and column-major scores; the weights come back as a non-contiguous view."""
import math

import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    kind = x.dtype
    x, w_q, w_k, w_v = (t.double() for t in (x, w_q, w_k, w_v))
    scores = (x @ w_k) @ (x @ w_q).T / math.sqrt(w_q.shape[1])
    if mask is not None:
        scores = scores + mask.double().T
    weights = torch.softmax(scores, dim=0)
    return (weights.T @ (x @ w_v)).to(kind), weights.to(kind).T
