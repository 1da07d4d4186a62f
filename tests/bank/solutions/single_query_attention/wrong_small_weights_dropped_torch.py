# wrong: weights below 1e-6 are dropped and the rest normalised again; 20000 keys 15 below the best are 0.6 percent of the weight and get none, and in float64 a single one is seen
import torch


def attention(query, keys, values):
    scores = torch.einsum("d,nd->n", query, keys) / query.shape[0] ** 0.5
    weights = torch.softmax(scores, 0)
    pruned = torch.where(weights < 1e-6, torch.zeros_like(weights), weights)
    if pruned.sum() > 0:
        weights = pruned / pruned.sum()
    return torch.einsum("n,ne->e", weights, values), weights
