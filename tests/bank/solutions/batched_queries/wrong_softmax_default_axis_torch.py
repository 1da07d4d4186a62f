"""The softmax over dim 0 whenever the batch has the size of the keys."""
import torch


def batch_attention(queries, keys, values):
    s = queries @ keys.T / queries.shape[1] ** 0.5
    w = torch.softmax(s, dim=list(s.shape).index(keys.shape[0]))
    return w @ values, w
