"""Positions of queries are i - (S - L); the scale in the scores only."""
# causes: offset_turned_over, scale_forgotten_on_the_way_back

import math

import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    delta = (grad_output * output).sum(-1, keepdim=True)
    lse = logsumexp.unsqueeze(-1)
    lse = lse.masked_fill(lse == -math.inf, 0)
    dq = torch.zeros_like(q)
    dk = torch.zeros_like(k)
    dv = torch.zeros_like(v)
    for start in range(0, S, block_size):
        end = min(start + block_size, S)
        kj, vj = k[..., start:end, :], v[..., start:end, :]
        s = q @ kj.transpose(-2, -1) / math.sqrt(D)
        if causal:
            i = torch.arange(L).unsqueeze(1)
            j = torch.arange(start, end).unsqueeze(0)
            s = s.masked_fill(j > i - (S - L), -math.inf)
        p = torch.exp(s - lse)
        dv[..., start:end, :] = p.transpose(-2, -1) @ grad_output
        dp = grad_output @ vj.transpose(-2, -1)
        ds = p * (dp - delta)
        dq = dq + ds @ kj
        dk[..., start:end, :] = ds.transpose(-2, -1) @ q
    return dq, dk, dv
