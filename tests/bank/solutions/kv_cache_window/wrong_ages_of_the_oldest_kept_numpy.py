# of a chunk longer than the ring the newest tokens are kept, with the ages of its oldest
import numpy as np


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size, self.slope, self.position = size, slope, 0
        self.keys = self.values = self.ages = None

    def append(self, k, v):
        n = k.shape[2]
        ages = np.arange(n)[::-1][: self.size]
        if self.keys is None:
            self.keys = k[:, :, -self.size :].copy()
            self.values = v[:, :, -self.size :].copy()
            self.ages = ages
        else:
            self.keys = np.concatenate([self.keys, k], axis=2)[:, :, -self.size :]
            self.values = np.concatenate([self.values, v], axis=2)[:, :, -self.size :]
            self.ages = np.concatenate([self.ages + n, ages])[-self.size :]
        self.position += n

    def attend(self, q):
        scores = np.einsum("bhd,bhsd->bhs", q, self.keys) / q.shape[-1] ** 0.5
        scores = scores - self.slope * self.ages.astype(q.dtype)
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return np.einsum("bhs,bhsd->bhd", e / e.sum(axis=-1, keepdims=True), self.values)
