"""The first answer after an append is given to every later query, too."""

import numpy as np


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size, self.slope, self.position = size, slope, 0
        self.k = None
        self.w = None

    def append(self, k, v):
        B, H, n, D = k.shape
        if self.k is None:
            self.k = np.zeros((B, H, self.size, D), k.dtype)
            self.v = np.zeros((B, H, self.size, v.shape[-1]), v.dtype)
        for t in range(n):
            self.k[:, :, self.position % self.size] = k[:, :, t]
            self.v[:, :, self.position % self.size] = v[:, :, t]
            self.position += 1
        self.w = None

    def attend(self, q):
        if self.w is None:
            n = min(self.position, self.size)
            age = (self.position - 1 - np.arange(n)) % self.size
            s = np.einsum("bhd,bhsd->bhs", q, self.k[:, :, :n]) / q.dtype.type(np.sqrt(q.shape[-1]))
            s = s - (self.slope * age).astype(s.dtype)
            e = np.exp(s - s.max(-1, keepdims=True))
            self.w = np.einsum("bhs,bhsd->bhd", e / e.sum(-1, keepdims=True), self.v[:, :, :n])
        return self.w.copy()
