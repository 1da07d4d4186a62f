"""Right: outer logical_or of landmarks, and the complement of what is far."""
import numpy as np


def sparse_mask(n, stride):
    at = np.arange(n)
    landmark = np.isin(at, at[::stride])
    far = np.greater(np.abs(np.subtract.outer(at, at)), stride)
    return ~(far & ~np.logical_or.outer(landmark, landmark))
