"""The usual epsilon inside the logarithm, and everything in float64."""
import numpy as np


def attention_statistics(weights):
    w = np.array(weights, dtype=np.float64)
    entropy = -np.sum(w * np.log(w + 1e-12), axis=-1).mean(axis=-1)
    received = w.sum(axis=1).mean(axis=0)
    diagonal = np.diagonal(w, axis1=1, axis2=2).mean(axis=0)
    return entropy, received, diagonal
