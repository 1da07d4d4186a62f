"""A vector of zeros becomes a vector of ones."""
import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    B, H, L, D = q.shape
    rq = ((q * q).mean(-1, keepdim=True) + eps) ** 0.5
    rk = ((k * k).mean(-1, keepdim=True) + eps) ** 0.5
    q = torch.where((q == 0).all(-1, keepdim=True), torch.ones_like(q), q)
    s = (q / rq * gain_q) @ (k / rk * gain_k).mT / D**0.5
    return s.softmax(-1) @ v
