"""Wrong: adds the mask twice, so biases count double."""
import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / q.shape[1] ** 0.5
    if mask is not None:
        scores = scores + mask + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
