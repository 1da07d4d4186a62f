"""Eight bits have 128 steps on either side."""
# causes: divided_by_128

import numpy as np


def quantize(x) -> tuple[np.ndarray, np.ndarray]:
    amax = np.max(np.abs(x), axis=-1)
    scale = amax / 128
    safe = np.where(scale == 0, np.ones_like(scale), scale)
    codes = np.clip(np.round(x / safe[..., None]), -128, 127)
    return codes.astype(np.int8), scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale) -> np.ndarray:
    D = q.shape[-1]
    k = keys_q * key_scale[..., None]
    v = values_q * value_scale[..., None]
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(D)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v
