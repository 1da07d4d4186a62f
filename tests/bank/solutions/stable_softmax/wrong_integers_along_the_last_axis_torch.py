"""Integers are turned into floats by a call that forgets the axis."""
import torch


def softmax(x, axis=-1):
    """exp(x) / Σ exp(x) along axis, computed as exp(x - max x) / Σ exp(x - max x)."""
    if not x.is_floating_point():
        return softmax(x.float())
    maximum = x.amax(dim=axis, keepdim=True)
    maximum = torch.where(torch.isneginf(maximum), 0, maximum)  # -inf - -inf would be NaN
    exponentials = torch.exp(x - maximum)
    # 0 where nothing is available, else at least 1
    total = exponentials.sum(dim=axis, keepdim=True)
    return exponentials / torch.where(total == 0, 1, total)
