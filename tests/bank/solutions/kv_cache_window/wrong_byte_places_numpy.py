"""Places are kept in one byte: a token 256 steps back is taken for the newest."""

import numpy as np


class RollingCache:
    """The keys and values of the last `size` tokens."""

    def __init__(self, size: int, slope: float = 0.0):
        self.size = size
        self.slope = float(slope)
        self.position = 0
        self.places = np.zeros(size, dtype=np.uint8)
        self.ring = None

    def append(self, k: np.ndarray, v: np.ndarray) -> None:
        """Adds n tokens: k (B, H, n, D), v (B, H, n, Dv)."""
        if self.ring is None:
            self.ring = tuple(
                np.zeros((*x.shape[:2], self.size, x.shape[-1]), dtype=x.dtype) for x in (k, v)
            )
        n = k.shape[2]
        kept = min(n, self.size)
        self.position += n
        places = np.arange(self.position - kept, self.position)
        slots = places % self.size
        for ring, new in zip(self.ring, (k, v), strict=True):
            ring[:, :, slots] = new[:, :, n - kept :]
        # differences wrap around just as the places do
        self.places[slots] = places.astype(np.uint8)

    def attend(self, q: np.ndarray) -> np.ndarray:
        """The newest token asks with q (B, H, D): returns its output (B, H, Dv)."""
        filled = min(self.position, self.size)
        keys, values = (ring[:, :, :filled] for ring in self.ring)
        newest = self.places[(self.position - 1) % self.size]
        distance = (newest - self.places[:filled]).astype(keys.dtype)
        scores = np.einsum("bhd,bhjd->bhj", q, keys) / q.shape[-1] ** 0.5 - self.slope * distance
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return np.einsum("bhj,bhjd->bhd", weights, values)
