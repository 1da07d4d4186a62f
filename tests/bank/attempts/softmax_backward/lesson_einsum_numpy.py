"""einsum for the sum over the keys."""
# causes: none

import numpy as np


def softmax_backward(weights, grad_weights):
    s = np.einsum("...n,...n->...", weights, grad_weights)
    return weights * grad_weights - weights * s[..., None]
