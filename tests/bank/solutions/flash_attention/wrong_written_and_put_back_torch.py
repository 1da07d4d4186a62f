"""An input is written to during the call, and put back."""
import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    keep = q.clone()
    q.mul_(q.shape[-1] ** -0.5)
    m = q.new_full((*q.shape[:-1], 1), -torch.inf)
    l = torch.zeros_like(m)
    o = q.new_zeros(*q.shape[:-1], v.shape[-1])
    i = torch.arange(L)[:, None] + S - L
    for a in range(0, S, block_size):
        kb, vb = k[..., a : a + block_size, :], v[..., a : a + block_size, :]
        s = q @ kb.mT
        if causal:
            s = s.masked_fill(torch.arange(a, a + kb.shape[-2]) > i, -torch.inf)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        safe = torch.where(new == -torch.inf, 0.0, new)
        p, al = torch.exp(s - safe), torch.exp(m - safe)
        l, o, m = l * al + p.sum(-1, keepdim=True), o * al + p @ vb, new
    q.copy_(keep)
    return o / torch.where(l == 0, 1.0, l)
