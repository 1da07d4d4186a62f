"""The scaled scores are the weights."""
# causes: no_softmax

import numpy as np


def batch_attention(queries, keys, values):
    weights = queries @ keys.T / np.sqrt(keys.shape[1])
    return weights @ values, weights
