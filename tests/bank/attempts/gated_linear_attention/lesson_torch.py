"""Chunks in products, a state between them."""
# causes: none

import torch


def gated_linear_attention(q, k, v, gates, chunk: int) -> torch.Tensor:
    B, H, n, D = q.shape
    state = torch.zeros(B, H, D, v.shape[-1], dtype=v.dtype)
    out = []
    for qc, kc, vc, gc in zip(*(x.split(chunk, dim=2) for x in (q, k, v, gates))):
        C = qc.shape[2]
        below = torch.tril(torch.ones(C, C, dtype=torch.bool), -1)[None, None, :, :, None]
        decay = torch.where(below, gc.unsqueeze(3), torch.ones((), dtype=v.dtype)).cumprod(dim=2)
        scores = (qc.unsqueeze(3) * decay * kc.unsqueeze(2)).sum(-1)
        total = gc.cumprod(dim=2)
        out.append(torch.tril(scores) @ vc + (qc * total) @ state)
        state = total[:, :, -1].unsqueeze(-1) * state + (kc * decay[:, :, -1]).transpose(2, 3) @ vc
    return torch.cat(out, dim=2)
