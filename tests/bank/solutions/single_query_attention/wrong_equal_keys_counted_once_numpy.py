"""Equal keys count once in the sum under the softmax."""
import numpy as np


def attention(query, keys, values):
    distinct, place = np.unique(keys, axis=0, return_inverse=True)
    scores = distinct @ query / len(query) ** 0.5
    raised = np.exp(scores - scores.max())
    weights = (raised / raised.sum())[place.reshape(-1)]
    return weights @ values, weights
