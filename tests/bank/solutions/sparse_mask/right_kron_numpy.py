"""Landmarks from a tiled unit vector, an outer or, and a toeplitz band of shifted identities."""
import numpy as np


def sparse_mask(n, stride):
    landmark = np.resize(np.arange(stride) == 0, n)
    mask = np.logical_or.outer(landmark, landmark)
    for k in range(-min(stride, n), min(stride, n) + 1):
        mask |= np.eye(n, k=k, dtype=bool)
    return mask
