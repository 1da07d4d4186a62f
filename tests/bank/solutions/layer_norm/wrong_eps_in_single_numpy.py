"""eps goes through float32, there and back."""
import numpy as np


def layer_norm(x, gain, bias, eps):
    return normalised(x, np.float32(eps))[0] * gain + bias


def layer_norm_backward(grad, x, gain, eps):
    xh, sigma = normalised(x, np.float32(eps))
    g = grad * gain
    dx = (g - g.mean(-1, keepdims=True) - xh * (g * xh).mean(-1, keepdims=True)) / sigma
    E = x.shape[-1]
    return dx, (grad * xh).reshape(-1, E).sum(0), grad.reshape(-1, E).sum(0)


def normalised(x, eps):
    c = x - x.mean(-1, keepdims=True)
    sigma = np.sqrt((c * c).mean(-1, keepdims=True) + eps)
    return c / sigma, sigma
