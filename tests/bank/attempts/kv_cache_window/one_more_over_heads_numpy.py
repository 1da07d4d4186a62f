"""The newest token and `size` before it, with a softmax over axis 1."""
# causes: one_slot_too_many, softmax_over_heads

import numpy as np


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.window = size
        self.slope = slope
        self.position = 0
        self.past = []

    def append(self, k, v):
        for i in range(k.shape[2]):
            self.past.append((np.array(k[:, :, i]), np.array(v[:, :, i])))
            self.past = self.past[-self.window - 1 :]
            self.position += 1

    def attend(self, q):
        keys = np.stack([k for k, _ in self.past], axis=2)
        values = np.stack([v for _, v in self.past], axis=2)
        scores = np.matmul(keys, q[..., None])[..., 0] / np.sqrt(q.shape[-1])
        scores = scores - self.slope * np.arange(len(self.past) - 1, -1, -1)
        exps = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights = exps / exps.sum(axis=1, keepdims=True)
        return np.matmul(weights[:, :, None], values)[:, :, 0]
