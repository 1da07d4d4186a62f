"""Queries begin S - L before the keys."""
# causes: offset_turned_over

import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for j0 in range(0, S, block_size):
        j1 = min(j0 + block_size, S)
        kj, vj = k[..., j0:j1, :], v[..., j0:j1, :]
        for i0 in range(0, L, block_size):
            i1 = min(i0 + block_size, L)
            qi, do, o = q[..., i0:i1, :], grad_output[..., i0:i1, :], output[..., i0:i1, :]
            s = qi @ kj.mT / D**0.5
            if causal:
                ahead = torch.arange(j0, j1)[None, :] > torch.arange(i0, i1)[:, None] - (S - L)
                s = s.masked_fill(ahead, -torch.inf)
            p = torch.where(s == -torch.inf, 0, torch.exp(s - logsumexp[..., i0:i1, None]))
            dp = do @ vj.mT
            ds = p * (dp - (do * o).sum(-1, keepdim=True))
            dq[..., i0:i1, :] += ds @ kj / D**0.5
            dk[..., j0:j1, :] += ds.mT @ qi / D**0.5
            dv[..., j0:j1, :] += p.mT @ do
    return dq, dk, dv
