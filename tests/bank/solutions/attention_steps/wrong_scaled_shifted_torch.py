"""scaled has the row's maximum taken off."""
import torch


def attention_steps(x, w_q, w_k, w_v):
    scores = x @ w_q @ (x @ w_k).T
    scaled = scores / w_q.shape[1] ** 0.5
    scaled = scaled - scaled.amax(1, keepdim=True)
    w = torch.softmax(scaled, 1)
    return scores, scaled, w, w @ (x @ w_v)
