# Queries and keys both in blocks, as in the paper: no tile is larger than block_size by block_size.
import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, S, scale = q.shape[-2], k.shape[-2], q.shape[-1] ** -0.5
    delta = (grad_output * output).sum(-1)
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for j in range(0, S, block_size):
        cols = slice(j, j + block_size)
        keys, values = k[..., cols, :], v[..., cols, :]
        for i in range(0, L, block_size):
            rows = slice(i, i + block_size)
            queries, grads = q[..., rows, :], grad_output[..., rows, :]
            p = (queries @ keys.mT * scale - logsumexp[..., rows, None]).exp()
            if causal:
                ahead = torch.arange(S)[cols] - torch.arange(L)[rows, None] > S - L
                p = p.masked_fill(ahead, 0)
            ds = p * (grads @ values.mT - delta[..., rows, None]) * scale
            dq[..., rows, :] += ds @ keys
            dk[..., cols, :] += ds.mT @ queries
            dv[..., cols, :] += p.mT @ grads
    return dq, dk, dv
