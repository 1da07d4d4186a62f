# wrong: rows that sum to 1 within a hundredth are normalised "to remove rounding"; a row that sums to 0.995 must be taken as it is
import torch


def attention_statistics(weights):
    total = weights.sum(-1, keepdim=True)
    weights = torch.where((total - 1).abs() < 1e-2, weights / total, weights)
    entropy = -torch.xlogy(weights, weights).sum(-1).mean(-1)
    received = weights.sum(1).mean(0)
    diagonal = torch.diagonal(weights, dim1=-2, dim2=-1).mean(0)
    return entropy, received, diagonal
