"""Long rows are summed in float32."""
import numpy as np


def softmax_backward(weights, grad_weights):
    p = weights * grad_weights
    ones = np.ones((weights.shape[-1], 1), np.float32)
    dot = p.astype(np.float32) @ ones if p.shape[-1] > 512 else p.sum(-1, keepdims=True)
    return weights * (grad_weights - dot)
