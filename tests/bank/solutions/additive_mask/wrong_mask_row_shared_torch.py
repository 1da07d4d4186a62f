"""Wrong: adds the last row of the mask to every query."""
import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / q.shape[1] ** 0.5
    if mask is not None:
        scores = scores + mask[-1]
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
