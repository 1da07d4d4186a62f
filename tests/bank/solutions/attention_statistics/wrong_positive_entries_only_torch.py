"""The mean of the entropy terms is taken over the positive entries of a head instead of over its queries."""

import torch


def attention_statistics(weights):
    seen = weights > 0
    terms = torch.special.entr(weights)
    entropy = terms.sum((1, 2)) / seen.sum((1, 2)) * weights.shape[2]
    return entropy, weights.sum(1).mean(0), weights.diagonal(dim1=1, dim2=2).mean(0)
