"""Blocks as in a loop over layers, and tril."""
# causes: last_block_of_dq_only, aligned_to_the_start

import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    scale = q.shape[-1] ** -0.5
    rows = torch.einsum("...ld,...ld->...l", output, grad_output)
    norm = torch.where(logsumexp.isinf(), torch.zeros_like(logsumexp), logsumexp)
    dq, dks, dvs = 0, [], []
    for n, (kb, vb) in enumerate(zip(k.split(block_size, -2), v.split(block_size, -2), strict=True)):
        s = torch.einsum("...ld,...sd->...ls", q, kb) * scale
        if causal:
            at = n * block_size + torch.arange(kb.shape[-2])
            s = torch.where(at <= torch.arange(L)[:, None], s, float("-inf"))
        w = (s - norm[..., None]).exp()
        dw = torch.einsum("...ld,...sd->...ls", grad_output, vb)
        ds = w * (dw - rows[..., None])
        dq = torch.einsum("...ls,...sd->...ld", ds, kb) * scale
        dks.append(torch.einsum("...ls,...ld->...sd", ds, q) * scale)
        dvs.append(torch.einsum("...ls,...ld->...sd", w, grad_output))
    return dq, torch.cat(dks, -2), torch.cat(dvs, -2)
