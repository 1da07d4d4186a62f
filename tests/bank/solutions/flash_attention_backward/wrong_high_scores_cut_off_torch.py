import math

import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    delta = (output * grad_output).sum(-1, keepdim=True)
    lse = logsumexp[..., None]
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for start in range(0, S, block_size):
        block = slice(start, start + block_size)
        s = q @ k[..., block, :].mT / math.sqrt(D)
        if causal:
            j = torch.arange(S)[block]
            s = s.masked_fill(j > torch.arange(L)[:, None] + S - L, -math.inf)
        p = torch.exp(s.clamp(max=1e3) - lse).nan_to_num(nan=0.0)
        ds = p * (grad_output @ v[..., block, :].mT - delta) / math.sqrt(D)
        dq += ds @ k[..., block, :]
        dk[..., block, :] = ds.mT @ q
        dv[..., block, :] = p.mT @ grad_output
    return dq, dk, dv
