import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    # neither output nor logsumexp: the forward pass in blocks once more, then the way back
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    low = torch.finfo(q.dtype).min

    def blocks():
        for start in range(0, S, block_size):
            at = slice(start, min(S, start + block_size))
            s = q @ k[..., at, :].mT / D**0.5
            if causal:
                seen = torch.arange(at.start, at.stop) <= torch.arange(L)[:, None] + S - L
                s = torch.where(seen, s, -torch.inf)
            yield at, s

    m = torch.full_like(q[..., :1], low)
    z = torch.zeros_like(m)
    o = torch.zeros_like(grad_output)
    for at, s in blocks():
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, old = torch.exp(s - new), torch.exp(m - new)
        z, o, m = z * old + p.sum(-1, keepdim=True), o * old + p @ v[..., at, :], new
    z = torch.where(z == 0, 1, z)
    delta = (o / z * grad_output).sum(-1, keepdim=True)
    dq, dk, dv = torch.zeros_like(q), torch.empty_like(k), torch.empty_like(v)
    for at, s in blocks():
        p = torch.exp(s - m) / z
        ds = p * (grad_output @ v[..., at, :].mT - delta) / D**0.5
        dq += ds @ k[..., at, :]
        dk[..., at, :] = ds.mT @ q
        dv[..., at, :] = p.mT @ grad_output
    return dq, dk, dv
