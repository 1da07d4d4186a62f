"""A prefix scan that joins neighbours, solves half as long a text, and fills in the rest."""
import numpy as np


def scan(g, h):
    n = g.shape[2]
    if n == 1:
        return h
    e = n // 2 * 2
    g2 = g[:, :, 1:e:2] * g[:, :, 0:e:2]
    h2 = h[:, :, 1:e:2] + g[:, :, 1:e:2, None, None] * h[:, :, 0:e:2]
    odd = scan(g2, h2)
    full = np.empty_like(h)
    full[:, :, 1:e:2] = odd
    full[:, :, 0] = h[:, :, 0]
    k = full[:, :, 2::2].shape[2]
    full[:, :, 2::2] = h[:, :, 2::2] + g[:, :, 2::2, None, None] * odd[:, :, :k]
    return full


def ssd(x, a, b, c, chunk):
    h = scan(a, b[:, None, :, :, None] * x[:, :, :, None, :])
    return (c[:, None, :, None, :] @ h)[..., 0, :]
