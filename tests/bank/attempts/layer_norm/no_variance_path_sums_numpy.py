"""Only the path through the mean; sums over axis 0."""
# causes: path_through_the_variance_missing, summed_over_the_first_axis

import numpy as np


def layer_norm(x, gain, bias, eps):
    m = x.mean(-1)[..., None]
    v = x.var(-1)[..., None]
    return (x - m) / np.sqrt(v + eps) * gain + bias


def layer_norm_backward(grad, x, gain, eps):
    m = x.mean(-1)[..., None]
    s = np.sqrt(x.var(-1)[..., None] + eps)
    g = grad * gain
    dx = (g - g.mean(-1)[..., None]) / s
    return dx, ((x - m) / s * grad).sum(0), grad.sum(0)
