"""A loop over tokens, and the Jacobian of each token written out."""
import numpy as np


def layer_norm(x, gain, bias, eps):
    y = np.empty_like(x)
    for i in np.ndindex(x.shape[:-1]):
        c = x[i] - x[i].mean()
        y[i] = gain * c / np.sqrt(c @ c / len(c) + eps) + bias
    return y


def layer_norm_backward(grad, x, gain, eps):
    E = x.shape[-1]
    dx, dgain, dbias = np.empty_like(x), np.zeros_like(gain), np.zeros_like(gain)
    for i in np.ndindex(x.shape[:-1]):
        c = x[i] - x[i].mean()
        s = np.sqrt(c @ c / E + eps)
        h = c / s
        jacobian = (np.eye(E) - 1 / E - np.outer(h, h) / E) / s
        dx[i] = jacobian @ (grad[i] * gain)
        dgain += grad[i] * h
        dbias += grad[i]
    return dx, dgain, dbias
