import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    m = torch.full(q[..., :1].shape, -1e30, dtype=q.dtype)
    l = torch.zeros(q[..., :1].shape)
    o = torch.zeros(*q.shape[:-1], v.shape[-1])
    for j in range(0, S, block_size):
        kb, vb = k[..., j : j + block_size, :], v[..., j : j + block_size, :]
        s = q @ kb.mT / D**0.5
        if causal:
            keep = torch.arange(j, j + kb.shape[-2]) <= torch.arange(L)[:, None] + S - L
            s = s.masked_fill(~keep, -float("inf"))
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, a = (s - new).exp(), (m - new).exp()
        l = (l * a + p.sum(-1, keepdim=True)).float()
        o = (o * a + p @ vb).float()
        m = new
    return (o / l.clamp(min=1e-30)).to(q.dtype)
