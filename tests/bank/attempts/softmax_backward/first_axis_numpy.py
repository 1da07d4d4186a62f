"""np.sum with axis 0."""
# causes: over_the_first_axis

import numpy as np


def softmax_backward(weights, grad_weights):
    return weights * (grad_weights - np.sum(weights * grad_weights, axis=0))
