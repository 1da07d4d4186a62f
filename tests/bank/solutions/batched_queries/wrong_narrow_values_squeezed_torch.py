"""Values of one number lose their axis."""
import torch


def batch_attention(queries, keys, values):
    w = torch.softmax(queries @ keys.T / queries.shape[1] ** 0.5, -1)
    return (w @ values).squeeze(-1), w
