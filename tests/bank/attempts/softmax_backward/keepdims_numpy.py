"""The sum over the last axis is taken off."""
# causes: axis_of_the_sum_lost

import numpy as np


def softmax_backward(weights, grad_weights):
    return weights * (grad_weights - np.sum(weights * grad_weights, axis=-1))
