# The three matrices stand side by side: one product makes queries, keys and values.
import math

import torch


def self_attention(x, w_q, w_k, w_v):
    D, Dv = w_q.shape[1], w_v.shape[1]
    projected = x @ torch.cat([w_q, w_k, w_v], dim=1)  # (n, D + D + Dv)
    q, k, v = projected.split([D, D, Dv], dim=1)
    weights = torch.softmax(q @ k.T / math.sqrt(D), dim=1)
    return weights @ v, weights
