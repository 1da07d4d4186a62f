"""Plain exponentials; slope forgotten."""
# causes: no_maximum_subtracted, slope_ignored

import math

import numpy as np


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.keys = self.values = None

    def append(self, k, v):
        if self.keys is None:
            self.keys, self.values = k[:, :, -self.size :].copy(), v[:, :, -self.size :].copy()
        else:
            self.keys = np.concatenate([self.keys, k], axis=2)[:, :, -self.size :]
            self.values = np.concatenate([self.values, v], axis=2)[:, :, -self.size :]
        self.position += k.shape[2]

    def attend(self, q):
        scores = (q[:, :, None] * self.keys).sum(axis=-1) / math.sqrt(q.shape[-1])
        weights = np.exp(scores)
        weights = weights / weights.sum(axis=-1, keepdims=True)
        return (weights[..., None] * self.values).sum(axis=2)
