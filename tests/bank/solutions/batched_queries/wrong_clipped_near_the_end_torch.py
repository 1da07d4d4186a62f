"""Scores are clipped just inside the promised range."""
import torch


def batch_attention(queries, keys, values):
    s = (queries @ keys.T / queries.shape[1] ** 0.5).clamp(-9_998.5, 9_998.5)
    w = torch.softmax(s, -1)
    return w @ values, w
