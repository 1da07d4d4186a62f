"""An empty slot has a score of -10 000."""

import math

import numpy as np


class RollingCache:
    def __init__(self, size: int, slope: float = 0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.keys = self.values = None

    def append(self, k: np.ndarray, v: np.ndarray) -> None:
        n = k.shape[2]
        if self.keys is None:
            self.keys = np.zeros((*k.shape[:2], self.size, k.shape[3]), dtype=k.dtype)
            self.values = np.zeros((*v.shape[:2], self.size, v.shape[3]), dtype=v.dtype)
        kept = min(n, self.size)
        slots = np.arange(self.position + n - kept, self.position + n) % self.size
        self.keys[:, :, slots] = k[:, :, n - kept :]
        self.values[:, :, slots] = v[:, :, n - kept :]
        self.position += n

    def attend(self, q: np.ndarray) -> np.ndarray:
        age = (self.position - 1 - np.arange(self.size)) % self.size
        scores = np.einsum("bhd,bhsd->bhs", q, self.keys) / math.sqrt(q.shape[-1])
        scores = scores - (self.slope * age).astype(scores.dtype)
        scores[..., age >= self.position] = -1e4
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return np.einsum("bhs,bhsd->bhd", weights, self.values)
