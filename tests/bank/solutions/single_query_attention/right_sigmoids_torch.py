"""Weights as one over a sum of ratios; the output as a mean of values taken from the first key onwards."""
import torch


def attention(query, keys, values):
    scores = (keys * query).sum(1) / query.numel() ** 0.5
    weights = torch.exp(scores[None, :] - scores[:, None]).sum(1).reciprocal()
    return torch.addmv(torch.zeros_like(values[0]), values.T, weights), weights
