"""One more, and a bonus for distance."""
# causes: one_slot_too_many, slope_added

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
            self.keys, self.values = (
                k[:, :, -self.size - 1 :].copy(),
                v[:, :, -self.size - 1 :].copy(),
            )
        else:
            self.keys = np.concatenate([self.keys, k], axis=2)[:, :, -self.size - 1 :]
            self.values = np.concatenate([self.values, v], axis=2)[:, :, -self.size - 1 :]
        self.position += k.shape[2]

    def attend(self, q):
        count = self.keys.shape[2]
        scores = (q[:, :, None] * self.keys).sum(axis=-1) / math.sqrt(q.shape[-1])
        scores = scores + self.slope * np.arange(count)[::-1].astype(q.dtype)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        return (weights[..., None] * self.values).sum(axis=2)
