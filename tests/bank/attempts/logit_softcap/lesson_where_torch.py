"""einsum and where."""
# causes: none

import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    s = torch.einsum("...ld,...sd->...ls", q, k) * q.shape[-1] ** -0.5
    s = cap * (s / cap).tanh()
    allowed = torch.ones(L, S, dtype=torch.bool)
    if causal:
        allowed = allowed.tril(S - L)
    w = torch.where(allowed, s, -1e30).softmax(dim=-1)
    w = torch.where(allowed, w, 0.0)
    return w @ v
