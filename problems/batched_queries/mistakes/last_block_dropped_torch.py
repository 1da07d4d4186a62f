import math

import torch


def batch_attention(queries, keys, values):
    b, d = queries.shape
    size = min(64, b)
    output = queries.new_zeros(b, values.shape[1])
    weights = queries.new_zeros(b, len(keys))
    for i in range(b // size):
        s = slice(i * size, (i + 1) * size)
        weights[s] = torch.softmax(queries[s] @ keys.T / math.sqrt(d), dim=1)
        output[s] = weights[s] @ values
    return output, weights
