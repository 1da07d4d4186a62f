"""The query as a matrix of one row, like a batch of one."""
import torch


def attention(query, keys, values):
    w = torch.softmax(query[None] @ keys.T / query.numel() ** 0.5, dim=-1)
    return (w @ values)[0], w[0]
