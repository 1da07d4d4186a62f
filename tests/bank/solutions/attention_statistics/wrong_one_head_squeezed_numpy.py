"""Axes of size 1 disappear."""
import numpy as np


def attention_statistics(weights):
    w = weights
    logs = np.log(np.where(w > 0, w, 1))
    entropy = -(w * logs).sum(axis=-1).mean(axis=-1)
    received = w.squeeze().sum(axis=-2).mean(axis=0) if w.shape[0] > 1 < w.shape[1] else w.sum(axis=1).mean(axis=0)
    return entropy.squeeze(), received, np.diagonal(w, axis1=1, axis2=2).mean(axis=0)
