"""Wrong: "gradients flow also where a gate is 0 or 1": gates are held in [0, 1] by torch.minimum and torch.maximum, which
share the gradient of a tie. Values are right; at a gate of exactly 0 or 1 its gradient is half of what it should be."""
import torch


def gated_linear_attention(q, k, v, gates, chunk: int) -> torch.Tensor:
    g = torch.minimum(gates, torch.ones_like(gates))
    g = torch.maximum(g, torch.zeros_like(g))
    n = q.shape[2]
    memory = torch.zeros(*k.shape[:2], k.shape[3], v.shape[3], dtype=v.dtype, device=v.device)
    parts = []
    for begin in range(0, n, chunk):
        s = slice(begin, min(begin + chunk, n))
        qc, kc, vc, gc = q[:, :, s], k[:, :, s], v[:, :, s], g[:, :, s]
        m = qc.shape[2]
        later = torch.ones(m, m, dtype=torch.bool).tril(-1)[:, :, None]
        fade = torch.where(later, gc[:, :, :, None, :], torch.ones((), dtype=g.dtype)).cumprod(dim=2)
        scores = torch.einsum("bhtd,bhjd,bhtjd->bhtj", qc, kc, fade).tril()
        start = gc.cumprod(dim=2)
        parts.append(scores @ vc + (qc * start) @ memory)
        memory = start[:, :, -1, :, None] * memory + (fade[:, :, -1] * kc).transpose(-1, -2) @ vc
    return torch.cat(parts, dim=2)
