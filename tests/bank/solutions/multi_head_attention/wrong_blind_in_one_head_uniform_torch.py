"""A query that sees nothing in one head only spreads evenly over its hidden keys there."""
import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError
    Q, K, V = ((a @ w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for a, w in ((q, w_q), (k, w_k), (v, w_v)))
    s = Q @ K.mT / (E // num_heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    o = (s.softmax(-1) @ V).transpose(1, 2).flatten(2)
    if mask is not None:
        see = mask.any(-1) if mask.ndim == 2 else mask.any(-1).any(1)
        o = o * see[..., None]
    return o @ w_o
