"""Double precision inside; the scale shared out between queries and keys."""
import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    D = q.shape[-1]
    q64, k64 = q.double() / D**0.25, k.double() / D**0.25
    a = q64 * gain_q / (q.double().square().mean(-1, keepdim=True) + eps) ** 0.5
    b = k64 * gain_k / (k.double().square().mean(-1, keepdim=True) + eps) ** 0.5
    return ((a @ b.mT).softmax(-1) @ v.double()).to(v.dtype)
