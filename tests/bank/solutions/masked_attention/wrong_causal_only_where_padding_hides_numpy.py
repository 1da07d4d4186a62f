"""A padding mask without a hidden key is taken for no mask at all, and the triangle goes with it."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S = q.shape[1], k.shape[1]
    s = np.einsum("bld,bsd->bls", q, k) / float(np.sqrt(q.shape[-1]))
    see = np.ones(s.shape, bool)
    if padding_mask is None or not padding_mask.all():
        if padding_mask is not None:
            see &= padding_mask[:, None]
        if causal:
            see &= np.tri(L, S, S - L, dtype=bool)
    s = np.where(see, s, np.finfo(s.dtype).min)
    e = np.where(see, np.exp(s - s.max(-1, keepdims=True)), 0)
    total = e.sum(-1, keepdims=True)
    w = e / np.where(total == 0, 1, total)
    return w @ v, w
