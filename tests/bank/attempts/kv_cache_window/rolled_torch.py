"""The whole window is shifted to the left, and a mask hides what is still empty."""
# causes: none

import torch


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.k = None
        self.v = None

    def append(self, k, v):
        if self.k is None:
            self.k = torch.zeros(*k.shape[:2], self.size, k.shape[3], dtype=k.dtype)
            self.v = torch.zeros(*v.shape[:2], self.size, v.shape[3], dtype=v.dtype)
        n = min(k.shape[2], self.size)
        self.k = torch.roll(self.k, -n, dims=2)
        self.v = torch.roll(self.v, -n, dims=2)
        self.k[:, :, self.size - n :] = k[:, :, k.shape[2] - n :]
        self.v[:, :, self.size - n :] = v[:, :, v.shape[2] - n :]
        self.position += k.shape[2]

    def attend(self, q):
        distance = torch.arange(self.size - 1, -1, -1)
        scores = (self.k @ q.unsqueeze(-1)).squeeze(-1) / q.shape[-1] ** 0.5
        scores = scores - self.slope * distance.to(scores.dtype)
        scores = scores.masked_fill(distance >= self.position, float("-inf"))
        return (scores.softmax(-1).unsqueeze(-2) @ self.v).squeeze(-2)
