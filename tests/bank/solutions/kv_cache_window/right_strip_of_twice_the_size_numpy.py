"""A strip of twice the size, whose tail is moved to the front when it is full."""

import math

import numpy as np


class RollingCache:
    def __init__(self, size: int, slope: float = 0.0):
        self.size, self.slope, self.position = size, slope, 0
        self._end = 0
        self._strips = None

    def append(self, k: np.ndarray, v: np.ndarray) -> None:
        n = k.shape[2]
        self.position += n
        k, v = k[:, :, max(n - self.size, 0) :], v[:, :, max(n - self.size, 0) :]
        m = k.shape[2]
        if self._strips is None:
            self._strips = [
                np.empty((*a.shape[:2], 2 * self.size, a.shape[3]), dtype=a.dtype) for a in (k, v)
            ]
        if self._end + m > 2 * self.size:
            keep = self.size - m
            for strip in self._strips:
                strip[:, :, :keep] = strip[:, :, self._end - keep : self._end].copy()
            self._end = keep
        for strip, new in zip(self._strips, (k, v)):
            strip[:, :, self._end : self._end + m] = new
        self._end += m

    def attend(self, q: np.ndarray) -> np.ndarray:
        kept = min(self.position, self.size)
        keys, values = (strip[:, :, self._end - kept : self._end] for strip in self._strips)
        scores = np.einsum("bhd,bhsd->bhs", q, keys) / math.sqrt(q.shape[-1])
        scores -= (self.slope * np.arange(kept - 1, -1, -1)).astype(scores.dtype)
        scores -= scores.max(axis=-1, keepdims=True)
        weights = np.exp(scores)
        weights /= weights.sum(axis=-1, keepdims=True)
        return np.einsum("bhs,bhsd->bhd", weights, values)
