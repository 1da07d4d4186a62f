"""The mean of each row is squeezed: leading sizes of one are lost on the way."""
import numpy as np

def softmax_backward(weights, grad_weights):
    dot = np.einsum("...i,...i->...", weights, grad_weights)
    return weights * (grad_weights - np.expand_dims(np.squeeze(dot), -1))
