"""Behaves well but for a ring of one slot, which takes two."""

import math

import torch


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.keys = self.values = None

    def append(self, k, v):
        if self.keys is None:
            self.keys, self.values = (
                k[:, :, -max(self.size, 2) :].clone(),
                v[:, :, -max(self.size, 2) :].clone(),
            )
        else:
            self.keys = torch.cat([self.keys, k], dim=2)[:, :, -max(self.size, 2) :]
            self.values = torch.cat([self.values, v], dim=2)[:, :, -max(self.size, 2) :]
        self.position += k.shape[2]

    def attend(self, q):
        count = self.keys.shape[2]
        scores = (q[:, :, None] * self.keys).sum(dim=-1) / math.sqrt(q.shape[-1])
        scores = scores - self.slope * torch.arange(count).flip(0).to(q.dtype)
        weights = torch.softmax(scores, dim=-1)
        return (weights[..., None] * self.values).sum(dim=2)
