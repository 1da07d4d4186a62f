"""No maximum is needed, since normalised scores are small."""
import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    B, H, L, D = q.shape
    rq = ((q * q).mean(-1, keepdim=True) + eps) ** 0.5
    rk = ((k * k).mean(-1, keepdim=True) + eps) ** 0.5
    s = (q / rq * gain_q) @ (k / rk * gain_k).mT / D**0.5
    e = s.exp()
    return e / e.sum(-1, keepdim=True) @ v
