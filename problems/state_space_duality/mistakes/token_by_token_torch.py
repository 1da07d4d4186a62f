import torch


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    state = x.new_zeros(B, H, b.shape[-1], Dv)
    y = []
    for i in range(n):
        state = a[:, :, i, None, None] * state + b[:, None, i, :, None] * x[:, :, i, None, :]
        y.append((c[:, None, i, None, :] @ state)[:, :, 0])
    return torch.stack(y, dim=2)
