"""Only the first head's mask is read."""
import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("uneven")
    Q, K, V = ((x @ w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in ((q, w_q), (k, w_k), (v, w_v)))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    seen = torch.ones_like(s, dtype=torch.bool)
    if mask is not None:
        seen = seen & (mask if mask.dim() == 2 else mask[:, :1])
    w = torch.softmax(s.masked_fill(~seen, torch.finfo(s.dtype).min), -1) * seen
    return (w @ V).transpose(1, 2).flatten(2) @ w_o
