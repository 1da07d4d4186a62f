import torch

def flash_attention(q, k, v, block_size, causal=False):
    L, D = q.shape[-2:]
    S = k.shape[-2]
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    big = max(1, min(block_size, 512))
    for r in range(0, L, 64):
        qb = q[..., r:r + 64, :]
        n = qb.shape[-2]
        lse = torch.full(qb.shape[:-1], -torch.inf, dtype=q.dtype)
        o = torch.zeros(*qb.shape[:-1], v.shape[-1], dtype=q.dtype)
        top = lse.clone()
        den = torch.zeros_like(lse)
        for c in range(0, S, big):
            kb, vb = k[..., c:c + big, :], v[..., c:c + big, :]
            s = torch.einsum("...id,...jd->...ij", qb, kb).mul_(1 / D ** 0.5)
            if causal:
                i = (torch.arange(r, r + n) - (1 if r else 0)).view(-1, 1) + S - L
                j = torch.arange(c, c + kb.shape[-2]).view(1, -1)
                s.masked_fill_(j > i, -torch.inf)
            m2 = torch.maximum(top, s.amax(-1))
            ref = m2.nan_to_num(neginf=0.0)
            a = torch.exp(top - ref)
            p = torch.exp(s - ref.unsqueeze(-1))
            den = den * a + p.sum(-1)
            o = o * a.unsqueeze(-1) + p @ vb
            top = m2
        out[..., r:r + 64, :] = torch.where(den.unsqueeze(-1) > 0, o / den.unsqueeze(-1), torch.zeros_like(o))
    return out
