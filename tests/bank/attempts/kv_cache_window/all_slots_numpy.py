"""The ring has size slots that are all asked, and position is the slot for the next token."""
# causes: empty_slots_seen, position_wraps

import math

import numpy as np


class RollingCache:
    def __init__(self, size: int, slope: float = 0.0):
        self.size, self.slope = size, slope
        self.position = 0
        self.ring_k = self.ring_v = None

    def append(self, k: np.ndarray, v: np.ndarray) -> None:
        if self.ring_k is None:
            self.ring_k = np.zeros((*k.shape[:2], self.size, k.shape[3]), dtype=k.dtype)
            self.ring_v = np.zeros((*v.shape[:2], self.size, v.shape[3]), dtype=v.dtype)
        for i in range(k.shape[2]):
            self.ring_k[:, :, self.position] = k[:, :, i]
            self.ring_v[:, :, self.position] = v[:, :, i]
            self.position = (self.position + 1) % self.size

    def attend(self, q: np.ndarray) -> np.ndarray:
        newest = (self.position - 1) % self.size
        steps = (newest - np.arange(self.size)) % self.size
        s = (self.ring_k * q[:, :, None, :]).sum(axis=-1) / math.sqrt(q.shape[-1])
        s = s - (self.slope * steps).astype(q.dtype)
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        w = e / e.sum(axis=-1, keepdims=True)
        return (w[..., None] * self.ring_v).sum(axis=2)
