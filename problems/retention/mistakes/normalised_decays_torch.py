import torch


def retention(q, k, v, decay):
    n = q.shape[2]
    step = torch.arange(n, dtype=decay.dtype)
    distance = step[:, None] - step
    power = decay[:, None, None]
    fade = (power ** distance.clamp(min=0)).tril()
    fade = fade / fade.sum(dim=-1, keepdim=True).sqrt()
    return (q @ k.transpose(-2, -1) * fade) @ v
