"""The width is that of x."""
# causes: root_of_word_width

import math

import torch
import torch.nn.functional as F


def attention_steps(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    n, d = x.shape
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / math.sqrt(d)
    weights = F.softmax(scaled, dim=1)
    return scores, scaled, weights, weights @ v
