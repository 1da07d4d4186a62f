"""Right: works in float64 block by block whatever comes in, and works logsumexp out again in a first pass, so that
scores and their logarithm of a sum fit exactly; results are cast back to the dtype of the inputs."""
import torch


def _seen(first, n, L, S, device):
    row = torch.arange(L, device=device)[:, None]
    return torch.arange(first, first + n, device=device)[None, :] - row <= S - L


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    wide = torch.float64
    L, S = q.shape[-2], k.shape[-2]
    scaled = q.to(wide) * q.shape[-1] ** -0.5

    def blocks():
        for first in range(0, S, block_size):
            part = slice(first, min(first + block_size, S))
            kb = k[..., part, :].to(wide)
            s = scaled @ kb.transpose(-1, -2)
            if causal:
                s = s.masked_fill(~_seen(first, kb.shape[-2], L, S, q.device), float("-inf"))
            yield part, kb, s

    lse = torch.full(q.shape[:-1], float("-inf"), dtype=wide, device=q.device)
    for _, _, s in blocks():
        top = torch.maximum(lse, s.amax(dim=-1))
        safe = torch.where(torch.isinf(top), torch.zeros_like(top), top)
        total = torch.exp(lse - safe) + torch.exp(s - safe.unsqueeze(-1)).sum(dim=-1)
        lse = safe + torch.log(total)
    blind = torch.isinf(lse).unsqueeze(-1)
    lse = lse.unsqueeze(-1).masked_fill(blind, 0.0)

    do = grad_output.to(wide).masked_fill(blind, 0.0)
    delta = (do * output.to(wide)).sum(dim=-1, keepdim=True)
    dq = torch.zeros_like(scaled)
    dk = torch.empty(k.shape, dtype=k.dtype, device=k.device)
    dv = torch.empty(v.shape, dtype=v.dtype, device=v.device)
    for part, kb, s in blocks():
        p = torch.exp(s - lse)                       # rows that see nothing: exp(-inf) = 0
        dv[..., part, :] = (p.transpose(-1, -2) @ do).to(v.dtype)
        ds = p * (do @ v[..., part, :].to(wide).transpose(-1, -2) - delta)
        dq += ds @ kb
        dk[..., part, :] = (ds.transpose(-1, -2) @ scaled).to(k.dtype)
    return (dq * q.shape[-1] ** -0.5).to(q.dtype), dk, dv
