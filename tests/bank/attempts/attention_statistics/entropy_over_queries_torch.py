"""The axes of queries and keys are exchanged."""
# causes: divided_by_the_keys, given_instead_of_received

import torch


def attention_statistics(weights):
    w = weights.clamp(min=1e-9)
    entropy = -(w * w.log()).sum(-2).mean(-1)
    received = weights.sum(-1).mean(0)
    diagonal = torch.diagonal(weights, dim1=-2, dim2=-1).mean(0)
    return entropy, received, diagonal
