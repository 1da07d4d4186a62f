"""Multiplies exp(scores) by the mask but takes the maximum over hidden keys too, so a loud hidden key underflows the row."""
import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("no")
    D = E // num_heads
    cut = lambda x: x.reshape(B, -1, num_heads, D).transpose(1, 2)
    s = cut(q @ w_q) @ cut(k @ w_k).mT / D**0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    if mask is not None:
        e = e * mask
    w = e / e.sum(-1, keepdim=True).clamp_min(1e-30)
    return (w @ cut(v @ w_v)).transpose(1, 2).reshape(B, L, E) @ w_o
