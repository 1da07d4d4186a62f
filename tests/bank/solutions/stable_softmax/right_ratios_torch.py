"""One over the sum of the ratios exp(x_j - x_i): an overflow there is a weight of 0."""
import torch


def softmax(x, axis=-1):
    x = x if x.is_floating_point() else x.to(torch.get_default_dtype())
    last = x.movedim(axis, -1)
    gone = last == -torch.inf
    known = last.masked_fill(gone, 0.0)
    ratios = torch.exp(known[..., None, :] - known[..., :, None]).masked_fill(gone[..., None, :], 0.0)
    weights = (1 / ratios.sum(-1)).masked_fill(gone, 0.0)
    return weights.movedim(-1, axis)
