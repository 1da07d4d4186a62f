# einsum names the axes: n keys, width d, width v of a value.
import math

import torch


def attention(query, keys, values):
    scores = torch.einsum("nd,d->n", keys, query) / math.sqrt(len(query))
    weights = torch.softmax(scores, dim=0)
    return torch.einsum("n,nv->v", weights, values), weights
