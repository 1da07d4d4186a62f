"""The sums of the softmax are kept up to date, key by key."""

import math

import numpy as np


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.tokens = []

    def append(self, k, v):
        for i in range(k.shape[2]):
            self.tokens.append((k[:, :, i].copy(), v[:, :, i].copy()))
        self.tokens = self.tokens[-self.size :]
        self.position += k.shape[2]

    def attend(self, q):
        top, total, sums = None, None, None
        for distance, (key, value) in enumerate(reversed(self.tokens)):
            score = (q * key).sum(axis=-1) / math.sqrt(q.shape[-1]) - self.slope * distance
            if top is None:
                top, total, sums = score, np.ones_like(score), value * 1
                continue
            new = np.maximum(top, score)
            old, weight = np.exp(top - new), np.exp(score - new)
            total = total * old + weight
            sums = sums * old[..., None] + weight[..., None] * value
            top = new
        return sums / total[..., None]
