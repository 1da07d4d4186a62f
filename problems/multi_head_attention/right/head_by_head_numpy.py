# One head after the other: each has its own columns of three matrices and its own rows of w_o.
import math

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    E = q.shape[2]
    if E % num_heads != 0:
        raise ValueError(f"a width of {E} cannot be shared out evenly among {num_heads} heads")
    D = E // num_heads
    mask = np.ones((1, 1, 1, 1), dtype=bool) if mask is None else mask
    mask = mask if mask.ndim == 4 else mask[None, None]
    output = 0
    for h in range(num_heads):
        own = slice(h * D, (h + 1) * D)
        seen = mask[:, h if mask.shape[1] > 1 else 0]
        head = attention(q @ w_q[:, own], k @ w_k[:, own], v @ w_v[:, own], seen)
        output = output + head @ w_o[own]  # what this head adds
    return output


def attention(q, k, v, mask):
    scores = np.where(mask, q @ k.swapaxes(1, 2) / math.sqrt(q.shape[2]), -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isneginf(top), 0, top))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1, total) @ v  # no visible key: zeros
