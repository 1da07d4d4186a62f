"""With a single key the weights are float32, also for float64 inputs."""
import numpy as np


def batch_attention(queries, keys, values):
    if len(keys) == 1:
        return np.repeat(values, len(queries), axis=0), np.ones((len(queries), 1), np.float32)
    scores = queries @ keys.T / keys.shape[1] ** 0.5
    exp = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = exp / exp.sum(axis=1, keepdims=True)
    return weights @ values, weights
