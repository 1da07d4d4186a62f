"""The values are taken without their history."""
import torch


def self_attention(x, w_q, w_k, w_v):
    w = torch.softmax((x @ w_q) @ (x @ w_k).T / w_q.shape[1] ** 0.5, -1)
    return w @ (x.detach() @ w_v), w
