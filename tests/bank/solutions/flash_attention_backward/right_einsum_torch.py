"""Right: blocks of keys by torch.split and einsum with an ellipsis; a query that sees nothing gets logsumexp +inf and
grad_output 0 in copies, so that no special case is left inside the loop."""
import math

import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, D = q.shape[-2:]
    S = k.shape[-2]
    root = math.sqrt(D)
    blind = torch.isneginf(logsumexp)
    lse = torch.where(blind, torch.full_like(logsumexp, math.inf), logsumexp).unsqueeze(-1)
    do = torch.where(blind.unsqueeze(-1), torch.zeros_like(grad_output), grad_output)
    delta = torch.einsum("...ld,...ld->...l", output, do).unsqueeze(-1)
    last_seen = torch.arange(L, device=q.device).unsqueeze(-1) + (S - L)

    dq = torch.zeros(q.shape, dtype=q.dtype, device=q.device)
    dks, dvs = [], []
    first = 0
    for kb, vb in zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2)):
        n = kb.shape[-2]
        s = torch.einsum("...ld,...sd->...ls", q, kb) / root
        if causal:
            key = torch.arange(first, first + n, device=q.device)
            s = s.masked_fill(key > last_seen, -math.inf)
        p = torch.exp(s - lse)
        dvs.append(torch.einsum("...ls,...lv->...sv", p, do))
        ds = p * (torch.einsum("...lv,...sv->...ls", do, vb) - delta) / root
        dq += torch.einsum("...ls,...sd->...ld", ds, kb)
        dks.append(torch.einsum("...ls,...ld->...sd", ds, q))
        first += n
    return dq, torch.cat(dks, dim=-2), torch.cat(dvs, dim=-2)
