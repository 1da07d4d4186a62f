"""With a single word the weights are float32, also for float64 inputs."""
import torch


def attention_steps(x, w_q, w_k, w_v):
    scores = (x @ w_q) @ (x @ w_k).T
    scaled = scores / w_q.shape[1] ** 0.5
    if len(x) == 1:
        return scores, scaled, torch.ones(1, 1), x @ w_v
    weights = torch.softmax(scaled, dim=1)
    return scores, scaled, weights, weights @ (x @ w_v)
