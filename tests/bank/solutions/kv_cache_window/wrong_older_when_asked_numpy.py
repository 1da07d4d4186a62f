"""Tokens grow older when somebody asks."""

import math

import numpy as np


class RollingCache:
    """Keys and values of the last `size` tokens; the token at place p lies in slot p % size."""

    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0  # of the next token
        self.keys = None
        self.age = None

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
        self.new = n

    def attend(self, q):
        """q (B, H, D) -> (B, H, Dv)"""
        count = min(self.position, self.size)
        keys = self.keys[:, :, :count]  # (B, H, count, D)
        values = self.values[:, :, :count]  # (B, H, count, Dv)

        newest = self.position - 1
        if self.age is None:
            self.age = np.zeros(self.size)
        self.age = self.age + self.new
        fresh = np.arange(self.position - min(self.new, self.size), self.position)
        self.age[fresh % self.size] = newest - fresh
        distance = self.age[:count]  # of the token in each slot
        scores = np.einsum("bhd,bhsd->bhs", q, keys) / math.sqrt(q.shape[-1])
        scores = scores - self.slope * distance.astype(q.dtype)

        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)  # (B, H, count)
        return np.einsum("bhs,bhsv->bhv", weights, values)
