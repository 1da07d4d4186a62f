import numpy as np

def _hat(x, eps):
    mean = np.add.reduce(x, axis=-1, keepdims=True) / x.shape[-1]
    c = x - mean
    sigma = np.sqrt(np.einsum("...e,...e->...", c, c)[..., None] / x.dtype.type(x.shape[-1])) + x.dtype.type(eps ** 0.5)
    return c / sigma, sigma

def layer_norm(x, gain, bias, eps):
    hat, _ = _hat(x, eps)
    hat *= gain
    hat += bias
    return hat

def layer_norm_backward(grad, x, gain, eps):
    hat, sigma = _hat(x, eps)
    g = np.multiply(grad, gain)
    dx = (g - np.mean(g, -1, keepdims=True) - hat * np.mean(g * hat, -1, keepdims=True)) / sigma
    flat = grad.reshape(-1, grad.shape[-1])
    return dx, np.einsum("te,te->e", flat, hat.reshape(flat.shape)), np.sum(flat, 0)
