"""Wrong: n // stride landmarks, which leaves out the last one unless stride divides n."""
import numpy as np


def sparse_mask(n, stride):
    landmarks = np.arange(n // stride) * stride
    mask = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) <= stride
    mask[landmarks] = True
    mask[:, landmarks] = True
    return mask
