"""float() makes sure of floats, and the width is that of a word."""
# causes: float32_results, root_of_word_width

import math

import torch
import torch.nn.functional as F


def attention_steps(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    x = x.float()
    q, k, v = x @ w_q.float(), x @ w_k.float(), x @ w_v.float()
    scores = q @ k.T
    scaled = scores / math.sqrt(x.size(1))
    weights = F.softmax(scaled, dim=-1)
    return scores, scaled, weights, weights @ v
