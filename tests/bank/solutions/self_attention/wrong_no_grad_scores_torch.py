"""The scores are computed without a graph."""
import torch


def self_attention(x, w_q, w_k, w_v):
    with torch.no_grad():
        w = torch.softmax((x @ w_q) @ (x @ w_k).T / w_q.shape[1] ** 0.5, dim=1)
    return w @ (x @ w_v), w
