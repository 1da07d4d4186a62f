# One slice at a time: the softmax of a vector, applied along the axis.
import numpy as np


def softmax(x, axis=-1):
    return np.apply_along_axis(softmax_of_slice, axis, x)


def softmax_of_slice(scores):
    maximum = scores.max()
    if maximum == -np.inf:  # nothing is available
        return np.zeros_like(scores)
    exponentials = np.exp(scores - maximum)
    return exponentials / exponentials.sum()
