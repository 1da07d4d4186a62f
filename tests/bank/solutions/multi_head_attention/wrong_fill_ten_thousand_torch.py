"""Hidden scores become -10 000; rows with nothing to see are emptied afterwards."""
import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("uneven")
    Q, K, V = ((x @ w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in ((q, w_q), (k, w_k), (v, w_v)))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -1e4)
    w = torch.softmax(s, -1)
    if mask is not None:
        w = w * mask.any(-1, keepdim=True)
    return (w @ V).transpose(1, 2).flatten(2) @ w_o
