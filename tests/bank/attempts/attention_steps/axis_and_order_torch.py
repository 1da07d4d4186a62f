"""The softmax runs down the columns, and the output comes before the weights."""
# causes: softmax_over_queries, output_before_weights

import torch


def attention_steps(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / q.shape[-1] ** 0.5
    weights = torch.softmax(scaled, dim=0)
    return scores, scaled, weights @ v, weights
