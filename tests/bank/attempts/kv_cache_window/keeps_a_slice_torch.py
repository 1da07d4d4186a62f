"""Keep the last `size` tokens as a slice, so nothing needs to be copied."""
# causes: views_kept

import torch


class RollingCache:
    def __init__(self, size: int, slope: float = 0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.k = None
        self.v = None

    def append(self, k: torch.Tensor, v: torch.Tensor) -> None:
        self.position += k.shape[2]
        if self.k is not None and k.shape[2] < self.size:
            keep = self.size - k.shape[2]
            k = torch.cat([self.k[:, :, -keep:], k], dim=2)
            v = torch.cat([self.v[:, :, -keep:], v], dim=2)
        self.k = k[:, :, -self.size :]
        self.v = v[:, :, -self.size :]

    def attend(self, q: torch.Tensor) -> torch.Tensor:
        count = self.k.shape[2]
        age = torch.arange(count - 1, -1, -1, dtype=q.dtype)
        scores = (self.k @ q.unsqueeze(-1)).squeeze(-1) / q.shape[-1] ** 0.5
        scores = scores - self.slope * age
        weights = torch.softmax(scores, dim=-1)
        return (weights.unsqueeze(2) @ self.v).squeeze(2)
