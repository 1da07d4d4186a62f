# The weights by logarithms: what is subtracted is the logarithm of the sum.
import math

import torch


def attention(query, keys, values):
    scores = (keys * query).sum(dim=1) / math.sqrt(len(query))
    weights = torch.exp(scores - torch.logsumexp(scores, dim=0))
    return (weights[:, None] * values).sum(dim=0), weights
