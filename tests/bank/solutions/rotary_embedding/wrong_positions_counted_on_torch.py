import math
import torch
import torch.nn.functional as F
from torch import nn

def apply_rope(x, positions, base=10000.0):
    B, H, n, D = x.shape
    if D % 2 == 1:
        raise ValueError(D)
    speed = float(base) ** (-torch.arange(D // 2, dtype=torch.float64) * 2 / D)
    a = (positions[:1] + torch.arange(n)).double()[:, None] * speed
    turn = torch.stack([a.cos(), -a.sin(), a.sin(), a.cos()], -1).reshape(n, D // 2, 2, 2)
    y = torch.einsum("nirc,bhnic->bhnir", turn.to(x.dtype), x.unflatten(3, (-1, 2)))
    return y.flatten(3)
