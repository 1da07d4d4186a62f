"""The maximum of a row is subtracted only where some score is above 80."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    if s.size and s.max() > 80:
        return np.where(np.isneginf(m), np.zeros_like(m), m)
    return np.zeros_like(m)


def quantize(x):
    """x (B, H, S, D) -> codes (B, H, S, D) of int8, scale (B, H, S)."""
    scale = np.abs(x).max(axis=-1) / 127  # (B, H, S)
    steps = x / np.where(scale == 0, 1, scale)[..., None]  # from -127 to 127
    return np.round(steps).astype(np.int8), scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    """q (B, H, L, D), keys_q (B, H, S, D), values_q (B, H, S, Dv), scales (B, H, S) -> (B, H, L, Dv)."""
    keys, values = keys_q.astype(q.dtype), values_q.astype(q.dtype)
    scores = q @ keys.swapaxes(-2, -1) / math.sqrt(q.shape[-1])  # (B, H, L, S)
    weights = softmax(scores * key_scale[..., None, :])  # a key's scale is a factor of its score
    shares = weights * value_scale[..., None, :]  # and a value's a factor of its weight
    return shares @ values  # (B, H, L, Dv)


def softmax(scores):
    weights = np.exp(scores - shift(scores, -1))
    return weights / weights.sum(axis=-1, keepdims=True)
