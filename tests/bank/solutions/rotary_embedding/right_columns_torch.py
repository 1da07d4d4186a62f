"""One pair after the other, put together by cat."""
import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D & 1:
        raise ValueError("odd")
    columns = []
    for i in range(D // 2):
        a = positions.to(x.dtype) * float(base) ** (-2 * i / D)
        a, b = torch.cos(a), torch.sin(a)
        columns += [x[..., 2 * i] * a - x[..., 2 * i + 1] * b, x[..., 2 * i] * b + x[..., 2 * i + 1] * a]
    return torch.stack(columns, dim=-1)
