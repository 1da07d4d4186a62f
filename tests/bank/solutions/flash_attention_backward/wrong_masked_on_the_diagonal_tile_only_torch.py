import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    delta = (output * grad_output).sum(-1)
    for i0 in range(0, L, block_size):
        i1 = min(i0 + block_size, L)
        for j0 in range(0, S, block_size):
            j1 = min(j0 + block_size, S)
            s = torch.matmul(q[..., i0:i1, :], k[..., j0:j1, :].mT) / D**0.5
            p = torch.exp(s - logsumexp[..., i0:i1, None])
            if causal and i0 == j0:
                i, j = torch.arange(i0, i1)[:, None], torch.arange(j0, j1)
                p = torch.where(j <= i + S - L, p, 0)
            g = grad_output[..., i0:i1, :]
            ds = p * (g @ v[..., j0:j1, :].mT - delta[..., i0:i1, None]) / D**0.5
            dq[..., i0:i1, :] += ds @ k[..., j0:j1, :]
            dk[..., j0:j1, :] += ds.mT @ q[..., i0:i1, :]
            dv[..., j0:j1, :] += p.mT @ g
    return dq, dk, dv
