"""The axis of a batch of one is gone from the output."""

import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    lead = q.shape[:-2]
    q, k, v = q.reshape(-1, L, q.shape[-1]), k.reshape(-1, S, k.shape[-1]), v.reshape(-1, S, v.shape[-1])
    m = q.new_full((len(q), L, 1), -torch.inf)
    l = torch.zeros_like(m)
    o = q.new_zeros(len(q), L, v.shape[-1])
    i = torch.arange(L)[:, None] + S - L
    for a in range(0, S, block_size):
        kb, vb = k[:, a : a + block_size], v[:, a : a + block_size]
        s = q @ kb.mT / q.shape[-1] ** 0.5
        if causal:
            s = s.masked_fill(torch.arange(a, a + kb.shape[-2]) > i, -torch.inf)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        safe = torch.where(new == -torch.inf, 0.0, new)
        p, al = torch.exp(s - safe), torch.exp(m - safe)
        l, o, m = l * al + p.sum(-1, keepdim=True), o * al + p @ vb, new
    o = o / torch.where(l == 0, 1.0, l)
    return o.squeeze(0) if len(lead) < 2 else o.reshape(*lead, L, -1)
