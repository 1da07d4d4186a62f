"""Key by key with a running maximum; integers become wide before they meet anything."""
import numpy as np


def quantize(x):
    scale = np.amax(np.fabs(x), axis=3) / x.dtype.type(127)
    inverse = np.divide(1, scale, out=np.zeros_like(scale), where=scale != 0)
    return np.rint(x * inverse[..., None]).astype(np.int8), scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    top = np.full(q.shape[:3], -np.inf, dtype=q.dtype)
    total, mix = 0, 0
    for j in range(keys_q.shape[2]):
        key = keys_q[:, :, None, j].astype(q.dtype)
        s = (q * key).sum(-1) * key_scale[:, :, None, j] / np.sqrt(q.shape[-1], dtype=q.dtype)
        new = np.maximum(top, s)
        shrink, w = np.exp(top - new), np.exp(s - new)
        total = total * shrink + w
        value = value_scale[:, :, None, j, None] * values_q[:, :, None, j]
        mix = mix * shrink[..., None] + w[..., None] * value
        top = new
    return mix / total[..., None]
