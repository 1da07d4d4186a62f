"""Queries scaled before the product, so scores and scaled are both scaled."""
import torch


def attention_steps(x, w_q, w_k, w_v):
    scores = (x @ w_q / w_q.shape[1] ** 0.5) @ (x @ w_k).T
    scaled = scores * 1.0
    weights = torch.softmax(scaled, dim=-1)
    return scores, scaled, weights, weights @ (x @ w_v)
