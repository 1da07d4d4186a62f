"""Each weight as one over a sum of ratios to the visible keys."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    (b, l, d), s = q.shape, k.shape[1]
    z = np.einsum("bld,bsd->bls", q, k) * q.dtype.type(d**-0.5)
    seen = np.broadcast_to(True if padding_mask is None else padding_mask[:, None], z.shape)
    if causal:
        seen = seen & (np.arange(s) - np.arange(l)[:, None] <= s - l)
    with np.errstate(over="ignore"):
        ratio = np.exp(z[..., None, :] - z[..., :, None])
    total = np.sum(ratio, axis=-1, where=seen[..., None, :])
    weights = np.divide(1, total, out=np.zeros_like(z), where=seen)
    return weights @ v, weights
