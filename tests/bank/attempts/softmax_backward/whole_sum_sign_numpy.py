"""vdot gives the sum of all products."""
# causes: over_everything, sign_turned_over

import numpy as np


def softmax_backward(weights, grad_weights):
    return weights * (np.vdot(weights, grad_weights) - grad_weights)
