"""Right: a band by triangles, then whole rows and columns set with a step."""
import numpy as np


def sparse_mask(n, stride):
    mask = np.tri(n, k=stride, dtype=bool) & np.tri(n, k=stride, dtype=bool).T
    mask[::stride] = True
    mask[:, ::stride] = True
    return mask
