"""A token always comes first in its own list."""
import torch


def most_attended(x, k):
    x = x if x.is_floating_point() else x.float()
    w = torch.softmax(x @ x.T / x.shape[1] ** 0.5, -1)
    n = len(w)
    key = w + 2 * torch.eye(n, dtype=w.dtype)
    i = torch.sort(key, dim=1, descending=True, stable=True).indices[:, :k]
    return i, torch.gather(w, 1, i)
