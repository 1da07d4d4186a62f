"""All tokens are joined, and the last ones are looked at."""
# causes: everything_kept

import numpy as np


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size, self.slope, self.position = size, slope, 0
        self.k = self.v = None

    def append(self, k, v):
        if self.k is None:
            self.k, self.v = k.copy(), v.copy()
        else:
            self.k = np.concatenate([self.k, k], axis=2)
            self.v = np.concatenate([self.v, v], axis=2)
        self.position += k.shape[2]

    def attend(self, q):
        k, v = self.k[:, :, -self.size :], self.v[:, :, -self.size :]
        s = np.einsum("bhd,bhnd->bhn", q, k) / np.sqrt(q.shape[-1])
        s = s - self.slope * np.arange(k.shape[2])[::-1]
        e = np.exp(s - s.max(-1, keepdims=True))
        return np.einsum("bhn,bhnd->bhd", e / e.sum(-1, keepdims=True), v)
