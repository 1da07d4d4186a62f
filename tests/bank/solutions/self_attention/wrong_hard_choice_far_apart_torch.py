"""Where the scores of a row lie more than 1000 apart, the best word takes everything."""
import torch


def self_attention(x, w_q, w_k, w_v):
    scores = (x @ w_q) @ (x @ w_k).T / w_q.shape[1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    best = torch.arange(len(x)) == scores.argmax(dim=-1, keepdim=True)
    far = scores.amax(dim=-1, keepdim=True) - scores.amin(dim=-1, keepdim=True) > 1000
    weights = torch.where(far, best.to(weights), weights)
    return weights @ (x @ w_v), weights
