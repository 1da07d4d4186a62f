"""One query is written down; vmap makes it many."""
import torch


def batch_attention(queries, keys, values):
    def one(query):
        weights = torch.softmax(keys @ query * query.shape[0] ** -0.5, dim=0)
        return weights @ values, weights

    return torch.vmap(one)(queries)
