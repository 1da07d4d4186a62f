"""No matmul: products by broadcasting, then sums. The output is normalised last; results are non-contiguous."""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    s = (q[..., :, None, :] * k[..., None, :, :]).sum(-1)
    s = s / q.shape[-1] ** 0.5 if scale is None else s * scale
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    total = e.sum(-1, keepdims=True)
    out = (e[..., None] * v[..., None, :, :]).sum(-2) / total
    return np.asfortranarray(out), np.asfortranarray(e / total)
