"""The difference goes through a softmax once more."""
# causes: softmax_of_the_difference

import numpy as np


def shares(s):
    s = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return s / np.sum(s, axis=-1, keepdims=True)


def differential_attention(q1, k1, q2, k2, v, lam):
    root = q1.shape[3] ** 0.5
    first = shares(np.matmul(q1, np.transpose(k1, (0, 1, 3, 2))) / root)
    second = shares(np.matmul(q2, np.transpose(k2, (0, 1, 3, 2))) / root)
    return np.matmul(shares(first - lam.reshape(1, -1, 1, 1) * second), v)
