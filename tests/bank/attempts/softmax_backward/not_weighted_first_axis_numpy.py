"""w * g minus the sum of w * g."""
# causes: sum_not_weighted_again, over_the_first_axis

import numpy as np


def softmax_backward(weights, grad_weights):
    prod = weights * grad_weights
    return prod - prod.sum(axis=0, keepdims=True)
