"""Normalised, so neither a scale nor a maximum is needed."""
# causes: no_scale, no_maximum_subtracted

import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    qn = q * torch.rsqrt((q**2).mean(-1, keepdim=True) + eps) * gain_q
    kn = k * torch.rsqrt((k**2).mean(-1, keepdim=True) + eps) * gain_k
    e = torch.exp(qn @ kn.mT)
    return e / e.sum(-1, keepdim=True) @ v
