"""An entropy below 0 is taken for a rounding error."""
import torch


def attention_statistics(weights):
    entropy = torch.special.entr(weights).sum(-1).clamp(min=0).mean(-1)
    return entropy, weights.sum(1).mean(0), weights.diagonal(dim1=1, dim2=2).mean(0)
