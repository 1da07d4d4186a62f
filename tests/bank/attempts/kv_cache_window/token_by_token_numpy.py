"""A ring that is filled token by token, put into the order of time before it is read."""
# causes: none

import numpy as np


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size, self.slope, self.position = size, slope, 0
        self.ring = [None] * size

    def append(self, k, v):
        for i in range(k.shape[2]):
            self.ring[self.position % self.size] = (k[:, :, i].copy(), v[:, :, i].copy())
            self.position += 1

    def attend(self, q):
        oldest = max(0, self.position - self.size)
        seen = [self.ring[place % self.size] for place in range(oldest, self.position)]
        scale = np.sqrt(q.shape[-1])
        scores = [
            np.sum(q * key, axis=-1) / scale - self.slope * (len(seen) - 1 - i)
            for i, (key, _) in enumerate(seen)
        ]
        top = np.max(scores, axis=0)
        shares = [np.exp(score - top) for score in scores]
        total = np.sum(shares, axis=0)
        parts = [
            (share / total)[..., None] * value
            for share, (_, value) in zip(shares, seen, strict=True)
        ]
        return np.sum(parts, axis=0)
