"""A helper with torch.sqrt."""
# causes: none

import torch


def norm(x, g, eps):
    return g * (x / torch.sqrt(torch.mean(x**2, -1, keepdim=True) + eps))


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    s = torch.einsum("bhld,bhsd->bhls", norm(q, gain_q, eps), norm(k, gain_k, eps))
    return torch.softmax(s * q.shape[-1] ** -0.5, dim=-1) @ v
