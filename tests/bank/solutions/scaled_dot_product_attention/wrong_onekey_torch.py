"""Wrong: "gradients flow, to q, k and v, through both results" with "any size may be one": a single key gets ones that
hang on nothing. S = 1: weights.sum().backward() raises, and after output.sum().backward() q.grad is None."""
import torch


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    if k.shape[-2] == 1:
        lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2])
        weights = torch.ones(*lead, q.shape[-2], 1, dtype=q.dtype, device=q.device)
    else:
        factor = q.shape[-1] ** -0.5 if scale is None else scale
        weights = torch.softmax(q @ k.transpose(-1, -2) * factor, dim=-1)
    return weights @ v, weights
