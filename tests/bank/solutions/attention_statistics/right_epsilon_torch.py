"""An epsilon of 1e-9 inside the logarithm, einsum for the sums."""

import torch


def attention_statistics(weights):
    h, l, s = weights.shape
    n = min(l, s)
    entropy = -torch.einsum("hls,hls->h", weights, torch.log(weights + 1e-9)) / l
    return entropy, torch.einsum("hls->s", weights) / h, torch.einsum("hii->i", weights[:, :n, :n]) / h
