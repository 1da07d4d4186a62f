import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    m, l, o = torch.full_like(q[..., :1], -104.0), 0.0, 0.0
    for j in range(0, S, block_size):
        kb, vb = k[..., j : j + block_size, :], v[..., j : j + block_size, :]
        s = q @ kb.mT / D**0.5
        if causal:
            keep = torch.arange(j, j + kb.shape[-2]) <= torch.arange(L)[:, None] + S - L
            s = s.masked_fill(~keep, -float("inf"))
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, a = (s - new).exp(), (m - new).exp()
        l, o, m = l * a + p.sum(-1, keepdim=True), o * a + p @ vb, new
    return o / l.clamp(min=1e-30)
