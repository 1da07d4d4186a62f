"""The transposed weights meet the values."""
# causes: weights_transposed

import math

import torch


def self_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    w = (q @ k.t() / math.sqrt(w_q.size(1))).softmax(-1)
    return w.t() @ v, w
