"""The product of codes, no scale for the values, no square root."""
# causes: value_scale_ignored, no_root

import numpy as np


def quantize(x):
    scale = np.abs(x).max(-1) / 127
    safe = np.where(scale == 0, 1, scale)
    codes = np.rint(x / safe[..., None]).astype(np.int8)
    return codes, scale.astype(x.dtype)


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    k = keys_q.astype(q.dtype) * key_scale[..., None]
    v = values_q.astype(q.dtype)
    s = q @ np.swapaxes(k, -1, -2)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)) @ v
