"""F.normalize."""
# causes: sum_of_squares, no_gain, other: eps is a floor

import torch.nn.functional as F


def rms_norm(x, gain, eps):
    return F.normalize(x, dim=-1, eps=eps)
