"""g minus its sum, times w."""
# causes: plain_sum_subtracted

import numpy as np


def softmax_backward(weights, grad_weights):
    return weights * (grad_weights - grad_weights.sum(axis=-1, keepdims=True))
