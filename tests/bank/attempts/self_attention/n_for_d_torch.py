"""The root of the number of words."""
# causes: root_of_word_count

import torch


def self_attention(x, w_q, w_k, w_v):
    n, e = x.shape
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    weights = torch.softmax((q @ k.transpose(0, 1)) / n**0.5, dim=1)
    return weights @ v, weights
