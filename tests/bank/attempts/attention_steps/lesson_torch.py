"""The steps with torch."""
# causes: none

import torch
import torch.nn.functional as F


def attention_steps(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = torch.matmul(q, k.transpose(-2, -1))
    scaled = scores / (q.size(-1) ** 0.5)
    weights = F.softmax(scaled, dim=-1)
    return scores, scaled, weights, torch.matmul(weights, v)
