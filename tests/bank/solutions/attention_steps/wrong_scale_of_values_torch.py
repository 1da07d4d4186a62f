"""The scale uses the width of the values."""
import torch


def attention_steps(x, w_q, w_k, w_v):
    scores = (x @ w_q) @ (x @ w_k).T
    scaled = scores / w_v.shape[1] ** 0.5
    weights = torch.softmax(scaled, dim=1)
    return scores, scaled, weights, weights @ (x @ w_v)
