# Heads join the batch, the root is taken out of the queries, and the values' scales go in last.
import numpy as np


def quantize(x):
    rows = x.reshape(-1, x.shape[-1])
    scale = np.maximum(rows.max(axis=1), -rows.min(axis=1)) / 127
    codes = np.zeros(rows.shape, dtype=np.int8)
    used = scale > 0
    codes[used] = np.round(rows[used] / scale[used, None])
    return codes.reshape(x.shape), scale.reshape(x.shape[:-1])


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    B, H, L, D = q.shape
    q, keys_q, values_q = (x.reshape(B * H, -1, x.shape[-1]) for x in (q, keys_q, values_q))
    key_scale, value_scale = key_scale.reshape(B * H, 1, -1), value_scale.reshape(B * H, 1, -1)
    scores = (q * q.dtype.type(D**-0.5)) @ keys_q.transpose(0, 2, 1).astype(q.dtype) * key_scale
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    total = weights.sum(axis=2, keepdims=True)
    output = (weights * value_scale) @ values_q.astype(q.dtype) / total
    return output.reshape(B, H, L, -1)
