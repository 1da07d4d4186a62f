"""The root of the width of a word, as a tensor."""
# causes: root_of_word_width

import torch


def attention_steps(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / torch.sqrt(torch.tensor(x.shape[-1]).float())
    weights = torch.softmax(scaled, dim=-1)
    return scores, scaled, weights, weights @ v
