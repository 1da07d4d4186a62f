import math

import torch


def most_attended(x, k):
    d = x.shape[-1]
    scores = x @ x.T / math.sqrt(d)  # (n, n)
    weights = torch.softmax(scores, dim=-1)  # (n, n)
    # (n, n), the largest first, ties in the order of the keys
    order = torch.argsort(weights, dim=-1, descending=True, stable=True)
    indices = order[:, :k]  # (n, k)
    return indices, torch.gather(weights, -1, indices)  # (n, k), (n, k)
