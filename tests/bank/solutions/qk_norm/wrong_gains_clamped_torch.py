"""No gain is larger than a hundred."""
import torch


def norm(x, g, eps):
    return x * g.clamp(-100, 100) * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    s = norm(q, gain_q, eps) @ norm(k, gain_k, eps).transpose(2, 3)
    return (s / q.size(-1) ** 0.5).softmax(-1) @ v
