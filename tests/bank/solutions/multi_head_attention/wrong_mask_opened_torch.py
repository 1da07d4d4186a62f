"""Wrong: 'the arrays of the caller, the mask too, are the same after the call'. Rows that see nothing are
opened in the mask itself to keep softmax from NaN. Shown by a mask with one row all False."""
import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    if num_heads < 1 or E % num_heads:
        raise ValueError("num_heads must divide E")
    D = E // num_heads
    qh = (q @ w_q).reshape(B, L, num_heads, D).transpose(1, 2)
    kh = (k @ w_k).reshape(B, S, num_heads, D).transpose(1, 2)
    vh = (v @ w_v).reshape(B, S, num_heads, D).transpose(1, 2)
    s = qh @ kh.transpose(-1, -2) / D ** 0.5
    if mask is not None:
        blind = ~mask.any(dim=-1)
        if blind.any():
            mask[blind] = True
        s = s.masked_fill(~mask, float("-inf"))
        w = torch.softmax(s, dim=-1).masked_fill(blind[..., None], 0.0)
    else:
        w = torch.softmax(s, dim=-1)
    return (w @ vh).transpose(1, 2).reshape(B, L, E) @ w_o
