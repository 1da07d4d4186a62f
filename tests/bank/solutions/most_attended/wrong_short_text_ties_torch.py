"""topk for long rows, a stable sort for short ones."""
import torch


def most_attended(x, k):
    x = x if x.is_floating_point() else x.float()
    w = torch.softmax(x @ x.T / x.shape[1] ** 0.5, -1)
    if len(x) > 16:
        v, i = torch.topk(w, k, dim=1)
        return i, v
    v, i = torch.sort(w, dim=1, descending=True, stable=True)
    return i[:, :k], v[:, :k]
