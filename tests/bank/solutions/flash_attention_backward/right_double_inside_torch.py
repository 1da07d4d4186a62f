import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    # everything in float64, and back at the end; weights are never above 1
    kind = q.dtype
    q, k, v, o, l, g = (x.double() for x in (q, k, v, output, logsumexp, grad_output))
    L, S = q.shape[-2], k.shape[-2]
    scale = q.shape[-1] ** -0.5
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    delta = torch.einsum("...ld,...ld->...l", o, g)[..., None]
    for at in torch.arange(S).split(block_size):
        p = torch.exp((q @ k[..., at, :].mT * scale - l[..., None]).clamp(max=0))
        if causal:
            p = p.masked_fill(at > torch.arange(L)[:, None] + S - L, 0)
        ds = p * (g @ v[..., at, :].mT - delta) * scale
        dq += ds @ k[..., at, :]
        dk[..., at, :] = ds.mT @ q
        dv[..., at, :] = p.mT @ g
    return dq.to(kind), dk.to(kind), dv.to(kind)
