import torch


def retention(q, k, v, decay):
    step = torch.arange(q.shape[2], dtype=decay.dtype)
    power = (decay[:, None] ** step)[..., None]  # (H, n, 1)
    memory = torch.cumsum((k / power)[..., None] * v[..., None, :], dim=2)
    return ((q * power)[..., None, :] @ memory)[..., 0, :]
