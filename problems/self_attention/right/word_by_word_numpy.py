# One word asks after the other: self-attention is the attention of a single query, n times.
import math

import numpy as np


def self_attention(x, w_q, w_k, w_v):
    keys, values = x @ w_k, x @ w_v
    weights = np.stack([weights_of(word @ w_q, keys) for word in x])  # (n, n)
    return weights @ values, weights


def weights_of(query, keys):
    scores = keys @ query / math.sqrt(query.size)  # (n,)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()
