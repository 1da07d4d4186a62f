"""A query counts as one that sees nothing if its output is zeros."""
import math

import torch


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
    scale = 1.0 / math.sqrt(q.shape[-1])
    blind = (output == 0).all(dim=-1, keepdim=True)
    go = grad_output.masked_fill(blind, 0.0)
    lse = logsumexp.unsqueeze(-1).masked_fill(blind, math.inf)
    delta = torch.sum(go * output, dim=-1, keepdim=True)

    positions = torch.arange(source, device=q.device)
    limit = torch.arange(length, device=q.device).unsqueeze(-1) + (source - length)
    dq = torch.zeros_like(q)
    dk, dv = [], []
    for kb, vb, at in zip(
        k.split(block_size, -2), v.split(block_size, -2), positions.split(block_size)
    ):
        z = torch.matmul(q, kb.mT).mul(scale).sub(lse)
        if causal:
            z = z.masked_fill(at > limit, -math.inf)
        p = torch.exp(z)
        ds = (torch.matmul(go, vb.mT) - delta).mul(p).mul(scale)
        dq = dq + torch.matmul(ds, kb)
        dk.append(torch.matmul(ds.mT, q))
        dv.append(torch.matmul(p.mT, go))
    return dq, torch.cat(dk, -2), torch.cat(dv, -2)
