import math

import numpy as np


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0  # of the next token
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys.append(k.copy())
        self.values.append(v.copy())
        self.position += k.shape[2]
        self.keys = [np.concatenate(self.keys, axis=2)[:, :, : self.size]]
        self.values = [np.concatenate(self.values, axis=2)[:, :, : self.size]]

    def attend(self, q):
        keys = np.concatenate(self.keys, axis=2)[:, :, : self.size]  # (B, H, count, D)
        values = np.concatenate(self.values, axis=2)[:, :, : self.size]  # (B, H, count, Dv)
        count = keys.shape[2]
        distance = count - 1 - np.arange(count)
        scores = np.einsum("bhd,bhsd->bhs", q, keys) / math.sqrt(q.shape[-1])
        scores = scores - self.slope * distance.astype(q.dtype)

        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)  # (B, H, count)
        return np.einsum("bhs,bhsv->bhv", weights, values)
