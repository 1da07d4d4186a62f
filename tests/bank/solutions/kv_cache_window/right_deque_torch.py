"""A deque that forgets by itself, one token after the other."""

from collections import deque

import torch


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.tokens = deque(maxlen=size)

    def append(self, k, v):
        for i in range(k.shape[2]):
            self.tokens.append((k[:, :, i].clone(), v[:, :, i].clone()))
            self.position += 1

    def attend(self, q):
        keys = torch.stack([k for k, _ in self.tokens], dim=2)
        values = torch.stack([v for _, v in self.tokens], dim=2)
        distance = len(self.tokens) - 1 - torch.arange(len(self.tokens))
        scores = torch.einsum("bhd,bhsd->bhs", q, keys) * q.shape[-1] ** -0.5
        scores = scores - self.slope * distance.to(q.dtype)
        weights = torch.softmax(scores, dim=-1)
        return torch.einsum("bhs,bhsv->bhv", weights, values)
