"""The whole ring is read."""
# causes: empty_slots_seen

import math

import torch


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.keys = self.values = None

    def append(self, k, v):
        B, H, n, D = k.shape
        if self.keys is None:
            self.keys = torch.zeros((B, H, self.size, D), dtype=k.dtype)
            self.values = torch.zeros((B, H, self.size, v.shape[-1]), dtype=v.dtype)
        for i in range(n):
            slot = self.position % self.size
            self.keys[:, :, slot] = k[:, :, i]
            self.values[:, :, slot] = v[:, :, i]
            self.position += 1

    def attend(self, q):
        count = self.size
        keys = self.keys[:, :, :count]
        values = self.values[:, :, :count]
        scores = torch.einsum("bhd,bhsd->bhs", q, keys) / math.sqrt(q.shape[-1])
        distance = (self.position - 1 - torch.arange(count)) % self.size
        scores = scores - self.slope * distance.to(q.dtype)
        weights = torch.softmax(scores, dim=-1)
        return torch.einsum("bhs,bhsv->bhv", weights, values)
