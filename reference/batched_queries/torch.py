import math

import torch


def batch_attention(queries, keys, values):
    """softmax(Q Kᵀ / √d) V, the softmax over each row (Vaswani et al. 2017, equation 1)."""
    d = queries.shape[1]
    scores = queries @ keys.T / math.sqrt(d)  # (b, n)
    weights = torch.softmax(scores, dim=1)  # (b, n)
    output = weights @ values  # (b, dv)
    return output, weights
