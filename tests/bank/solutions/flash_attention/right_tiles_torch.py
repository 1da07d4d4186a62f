import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S, d = q.shape[-2], k.shape[-2], q.shape[-1]
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for i in range(0, L, block_size):
        rows = slice(i, min(i + block_size, L))
        qi = q[..., rows, :] * d**-0.5
        m = torch.full((*qi.shape[:-1], 1), -float("inf"), dtype=q.dtype)
        l = torch.zeros_like(m)
        acc = torch.zeros_like(out[..., rows, :])
        for j in range(0, S, block_size):
            cols = slice(j, min(j + block_size, S))
            s = qi @ k[..., cols, :].mT
            if causal:
                seen = torch.arange(S)[cols] <= torch.arange(L)[rows, None] + S - L
                if not seen.any():
                    continue
                s = s.masked_fill(~seen, -float("inf"))
            m_new = torch.maximum(m, s.amax(-1, keepdim=True)).clamp(min=torch.finfo(q.dtype).min)
            p, a = (s - m_new).exp(), (m - m_new).exp()
            l, acc, m = l * a + p.sum(-1, keepdim=True), acc * a + p @ v[..., cols, :], m_new
        out[..., rows, :] = acc / l.masked_fill(l == 0, 1)
    return out
