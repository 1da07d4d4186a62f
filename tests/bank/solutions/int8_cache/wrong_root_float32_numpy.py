"""Breaks "Keeps precision": sqrt(D) is a float32 number, so float64 scores are off by 1e-8 relative. Shows in float64
with D = 3 and scores of 100 (not with D = 1, 4, 16)."""
import numpy as np


def quantize(x):
    scale = np.abs(x).max(axis=-1) / 127
    safe = np.where(scale == 0, 1, scale).astype(x.dtype)
    return np.round(x / safe[..., None]).astype(np.int8), scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    root = np.sqrt(np.float32(q.shape[-1]))
    scores = np.matmul(q, np.swapaxes(keys_q, -1, -2).astype(q.dtype)) * key_scale[:, :, None]
    scores = scores / root
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.matmul(weights * value_scale[:, :, None], values_q.astype(q.dtype))
