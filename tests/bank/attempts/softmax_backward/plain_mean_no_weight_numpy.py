"""Centre the gradients, so that they sum to 0."""
# causes: plain_mean_subtracted, no_weight_in_front

import numpy as np


def softmax_backward(weights, grad_weights):
    return grad_weights - grad_weights.mean(axis=-1, keepdims=True)
