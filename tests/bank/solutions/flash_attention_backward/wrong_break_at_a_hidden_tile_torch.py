"""Within a block of keys, the loop over tiles of queries ends at the first that sees nothing."""
import math

import torch

_TILE = 128


def flash_attention_backward(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    output: torch.Tensor,
    logsumexp: torch.Tensor,
    grad_output: torch.Tensor,
    block_size: int,
    causal: bool = False,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    length, source = q.shape[-2], k.shape[-2]
    reach = source - length
    scale = 1.0 / math.sqrt(q.shape[-1])
    blind = logsumexp.isneginf().unsqueeze(-1)
    lse = logsumexp.unsqueeze(-1).masked_fill(blind, math.inf)
    go = grad_output.masked_fill(blind, 0.0)
    delta = (go * output).sum(dim=-1, keepdim=True)

    dq = q.new_zeros(q.shape)
    dk = k.new_zeros(k.shape)
    dv = v.new_zeros(v.shape)
    for lo in range(0, source, block_size):
        hi = min(lo + block_size, source)
        kb, vb = k[..., lo:hi, :], v[..., lo:hi, :]
        for a in range(0, length, _TILE):
            b = min(a + _TILE, length)
            if causal and lo > b - 1 + reach:
                break  # nothing of this block is visible any more
            qt, gt = q[..., a:b, :], go[..., a:b, :]
            exponent = qt @ kb.mT * scale - lse[..., a:b, :]
            if causal and hi - 1 > a + reach:
                keys = torch.arange(lo, hi, device=q.device)
                queries = torch.arange(a, b, device=q.device)
                exponent = exponent.masked_fill(keys > queries[:, None] + reach, -math.inf)
            p = exponent.exp()
            ds = p * (gt @ vb.mT - delta[..., a:b, :]) * scale
            dq[..., a:b, :] += ds @ kb
            dk[..., lo:hi, :] += ds.mT @ qt
            dv[..., lo:hi, :] += p.mT @ gt
    return dq, dk, dv
