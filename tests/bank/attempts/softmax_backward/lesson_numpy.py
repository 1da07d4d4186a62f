"""w times g minus the weighted mean of g."""
# causes: none

import numpy as np


def softmax_backward(weights, grad_weights):
    dot = np.sum(weights * grad_weights, axis=-1, keepdims=True)
    return weights * (grad_weights - dot)
