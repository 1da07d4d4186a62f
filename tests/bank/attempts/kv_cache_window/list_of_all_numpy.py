"""Lists of all tokens; the last ones are used."""
# causes: everything_kept

import math

import numpy as np


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.keys, self.values = [], []

    def append(self, k, v):
        for i in range(k.shape[2]):
            self.keys.append(k[:, :, i].copy())
            self.values.append(v[:, :, i].copy())
            self.position += 1

    def attend(self, q):
        keys = np.stack(self.keys[-self.size :], axis=2)
        values = np.stack(self.values[-self.size :], axis=2)
        scores = np.einsum("bhd,bhsd->bhs", q, keys) / math.sqrt(q.shape[-1])
        n = keys.shape[2]
        scores = scores - self.slope * (n - 1 - np.arange(n)).astype(q.dtype)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        return np.einsum("bhs,bhsv->bhv", weights, values)
