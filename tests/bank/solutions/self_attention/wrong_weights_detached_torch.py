"""The returned weights have no history."""
import torch


def self_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    w = torch.softmax(q @ k.T / k.shape[-1] ** 0.5, -1)
    return w @ v, w.detach()
