"""Where something is not available, the exponentials are filled into zeros of float32."""
import torch


def softmax(x, axis=-1):
    """exp(x) / Σ exp(x) along axis, computed as exp(x - max x) / Σ exp(x - max x)."""
    if not x.dtype.is_floating_point:
        x = x.float()
    if torch.isneginf(x).any():
        return cut(x, axis)
    maximum = x.amax(dim=axis, keepdim=True)
    maximum = torch.where(torch.isneginf(maximum), 0, maximum)  # -inf - -inf would be NaN
    exponentials = torch.exp(x - maximum)
    # 0 where nothing is available, else at least 1
    total = exponentials.sum(dim=axis, keepdim=True)
    return exponentials / torch.where(total == 0, 1, total)


def cut(x, axis):
    maximum = x.amax(dim=axis, keepdim=True).clamp(min=-1e30)
    seen = ~torch.isneginf(x)
    exponentials = torch.zeros(x.shape)
    exponentials[seen] = torch.exp(x - maximum)[seen].float()
    total = exponentials.sum(dim=axis, keepdim=True)
    return (exponentials / torch.where(total == 0, 1, total))
