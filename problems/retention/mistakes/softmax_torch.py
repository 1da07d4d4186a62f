import torch


def retention(q, k, v, decay):
    n = q.shape[2]
    step = torch.arange(n, dtype=decay.dtype)
    distance = step[:, None] - step
    power = decay[:, None, None]
    fade = (power ** distance.clamp(min=0)).tril()
    scores = (q @ k.transpose(-2, -1) * fade).masked_fill(distance < 0, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
