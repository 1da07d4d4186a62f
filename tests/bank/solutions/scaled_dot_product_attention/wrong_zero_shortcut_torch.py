"""Breaks "A gradient may be zero, but not missing": with scale 0 the weights are made by full(), and
q and k drop out of the graph. Shows at scale=0: q.grad is None."""
import torch


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    if scale is None:
        scale = q.shape[-1] ** -0.5
    if scale == 0:
        lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2])
        L, S = q.shape[-2], k.shape[-2]
        weights = torch.full((*lead, L, S), 1.0 / S, dtype=q.dtype, device=q.device)
    else:
        weights = torch.softmax(torch.matmul(q, k.mT) * scale, dim=-1)
    return torch.matmul(weights, v), weights
