"""A number below -10 hides its key outright; smaller biases are added."""
import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    s = (x @ w_q) @ (x @ w_k).T / w_q.shape[1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask < -10, -3e4) + mask.clamp(min=-10)
    w = torch.softmax(s, 1)
    return w @ (x @ w_v), w
