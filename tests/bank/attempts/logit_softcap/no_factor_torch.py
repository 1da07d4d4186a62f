"""tanh(s / cap)."""
# causes: not_multiplied_back

import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = torch.tanh(q @ k.mT / D**0.5 / cap)
    keep = torch.ones(L, S, dtype=torch.bool).tril(S - L if causal else S)
    return (s.masked_fill(~keep, -1e9).softmax(-1) * keep) @ v
