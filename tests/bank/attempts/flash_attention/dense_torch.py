"""Plain attention has the same values."""
# causes: dense

import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ k.transpose(-1, -2) / D**0.5
    if causal:
        hidden = torch.ones(L, S, dtype=torch.bool).triu(S - L + 1)
        s = s.masked_fill(hidden, float("-inf"))
    return torch.softmax(s, dim=-1).nan_to_num(0.0) @ v
