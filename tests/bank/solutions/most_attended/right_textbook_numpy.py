"""The lessons' usual lines: np.sqrt makes everything float64."""
import numpy as np


def most_attended(x, k):
    scores = np.matmul(x, x.T) / np.sqrt(x.shape[-1])
    exps = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = exps / (np.sum(exps, axis=-1, keepdims=True) + 1e-9)
    indices = np.argsort(-weights, axis=-1, kind="stable")[:, :k]
    return indices, np.take_along_axis(weights, indices, axis=-1)
