"""The derivative of exp is exp itself."""
# causes: nothing_subtracted

import numpy as np


def softmax_backward(weights, grad_weights):
    return weights * grad_weights
