"""Wrong: joins rows and columns of landmarks with exclusive or, so two landmarks far apart do not meet."""
import numpy as np


def sparse_mask(n, stride):
    at = np.arange(n)
    landmark = at % stride == 0
    return (np.abs(at[:, None] - at) <= stride) | (landmark[:, None] ^ landmark)
