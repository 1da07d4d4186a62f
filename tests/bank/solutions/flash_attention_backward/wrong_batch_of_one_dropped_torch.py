"""The axis of a batch of one is gone from all three gradients."""

import math
import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    scale = 1 / math.sqrt(q.shape[-1])
    dq, dk, dv = torch.zeros_like(q), torch.empty_like(k), torch.empty_like(v)
    delta = (output * grad_output).sum(-1, keepdim=True)
    lse = logsumexp.masked_fill(logsumexp == -math.inf, math.inf).unsqueeze(-1)
    pos = torch.arange(L).unsqueeze(1) + S - L
    for a in range(0, S, block_size):
        sl = slice(a, min(a + block_size, S))
        kb, vb = k[..., sl, :], v[..., sl, :]
        s = q @ kb.mT * scale
        if causal:
            s.masked_fill_(torch.arange(a, sl.stop) > pos, -math.inf)
        p = (s - lse).exp_()
        dv[..., sl, :] = p.mT @ grad_output
        ds = (grad_output @ vb.mT - delta).mul_(p).mul_(scale)
        dq += ds @ kb
        dk[..., sl, :] = ds.mT @ q
    return tuple(t.reshape(-1, *t.shape[-2:]).squeeze(0) if t.ndim < 4 else t for t in (dq, dk, dv))
