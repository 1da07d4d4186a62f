"""The entropy is rounded to six decimals."""
import numpy as np


def attention_statistics(weights):
    logs = np.log(np.where(weights > 0, weights, 1))
    entropy = np.round(-(weights * logs).sum(axis=-1).mean(axis=-1), 6)
    return entropy, weights.sum(axis=1).mean(axis=0), np.diagonal(weights, axis1=1, axis2=2).mean(axis=0)
