import torch


def retention(q, k, v, decay):
    n = q.shape[2]
    step = torch.arange(n, dtype=decay.dtype)
    distance = step[:, None] - step
    power = decay[:, None, None]
    return (q @ k.transpose(-2, -1) * power**step).tril() @ v
