"""One entropy for the layer: the mean runs over heads and queries and is then repeated for each head."""

import torch


def attention_statistics(weights):
    entropy = torch.special.entr(weights).sum(-1).mean().repeat(weights.shape[0])
    return entropy, weights.sum(1).mean(0), weights.diagonal(dim1=1, dim2=2).mean(0)
