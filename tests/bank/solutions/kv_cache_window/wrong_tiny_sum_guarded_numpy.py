"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


class RollingCache:
    """Keys and values of the last `size` tokens; the token at place p lies in slot p % size."""

    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0  # of the next token
        self.keys = None

    def append(self, k, v):
        """k (B, H, n, D), v (B, H, n, Dv)"""
        B, H, n, D = k.shape
        if self.keys is None:
            self.keys = np.zeros((B, H, self.size, D), dtype=k.dtype)
            self.values = np.zeros((B, H, self.size, v.shape[-1]), dtype=v.dtype)
        places = np.arange(self.position, self.position + n)
        slots = places[-self.size :] % self.size  # at most one token for each slot
        self.keys[:, :, slots] = k[:, :, -self.size :]
        self.values[:, :, slots] = v[:, :, -self.size :]
        self.position += n

    def attend(self, q):
        """q (B, H, D) -> (B, H, Dv)"""
        count = min(self.position, self.size)
        keys = self.keys[:, :, :count]  # (B, H, count, D)
        values = self.values[:, :, :count]  # (B, H, count, Dv)

        newest = self.position - 1
        distance = (newest - np.arange(count)) % self.size  # of the token in each slot
        scores = np.einsum("bhd,bhsd->bhs", q, keys) / math.sqrt(q.shape[-1])
        scores = scores - self.slope * distance.astype(q.dtype)

        weights = np.exp(scores - shift(scores, -1))
        weights = weights / (weights.sum(axis=-1, keepdims=True) + 1e-9)  # (B, H, count)
        return np.einsum("bhs,bhsv->bhv", weights, values)
