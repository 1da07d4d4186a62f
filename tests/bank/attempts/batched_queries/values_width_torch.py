"""The root of the width of the values."""
# causes: root_of_value_width

import torch


def batch_attention(queries, keys, values):
    weights = torch.softmax(queries @ keys.T / values.shape[-1] ** 0.5, dim=-1)
    return weights @ values, weights
