"""The gain of the keys does not learn."""
import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    B, H, L, D = q.shape
    rq = ((q * q).mean(-1, keepdim=True) + eps) ** 0.5
    rk = ((k * k).mean(-1, keepdim=True) + eps) ** 0.5
    gain_k = gain_k.detach()
    s = (q / rq * gain_q) @ (k / rk * gain_k).mT / D**0.5
    return s.softmax(-1) @ v
