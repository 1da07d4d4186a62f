"""Add the mask, then divide by the root of the width."""
# causes: scale_by_model_width, mask_scaled_too

import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T
    if mask is not None:
        s += mask
    s /= np.sqrt(x.shape[1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ v, w
