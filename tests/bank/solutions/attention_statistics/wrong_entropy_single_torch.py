"""The entropy always comes back in float32."""
import torch


def attention_statistics(weights):
    entropy = torch.special.entr(weights).sum(-1).mean(-1).float()
    return entropy, weights.sum(1).mean(0), weights.diagonal(dim1=1, dim2=2).mean(0)
