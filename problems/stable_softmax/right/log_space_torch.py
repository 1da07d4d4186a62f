# In logarithms: what is subtracted is the logarithm of the whole sum, so nothing is divided.
import torch


def softmax(x, axis=-1):
    maximum = x.amax(dim=axis, keepdim=True)
    maximum = torch.where(torch.isneginf(maximum), 0, maximum)
    shifted = x - maximum
    total = torch.exp(shifted).sum(dim=axis, keepdim=True)
    total = torch.where(total == 0, 1, total)  # nothing is available
    return torch.exp(shifted - torch.log(total))
