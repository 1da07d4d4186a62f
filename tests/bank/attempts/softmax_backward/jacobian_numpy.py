"""The Jacobian of each row, then one product."""
# causes: matrix_for_each_row|row_by_row

import numpy as np


def softmax_backward(weights, grad_weights):
    n = weights.shape[-1]
    J = np.eye(n, dtype=weights.dtype) * weights[..., None] - weights[..., None] * weights[..., None, :]
    return np.einsum("...ij,...j->...i", J, grad_weights)
