import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    # one query at a time reads all its keys, which is no L x S matrix either
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(L):
        n = min(S, i + S - L + 1) if causal else S
        if n <= 0:
            continue
        keys, values = k[..., :n, :], v[..., :n, :]
        query, grad = q[..., i, :, None], grad_output[..., i, :, None]
        p = torch.exp((keys @ query)[..., 0] / D**0.5 - logsumexp[..., i, None])[..., None]
        delta = (output[..., i, :, None] * grad).sum(-2, keepdim=True)
        ds = p * (values @ grad - delta) / D**0.5
        dq[..., i, :] = (ds * keys).sum(-2)
        dk[..., :n, :] += ds * query.mT
        dv[..., :n, :] += p * grad.mT
    return dq, dk, dv
