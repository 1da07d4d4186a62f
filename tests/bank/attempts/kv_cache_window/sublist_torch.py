"""Lists of tokens without copies, the oldest popped."""
# causes: views_kept

import math

import torch


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.keys, self.values = [], []

    def append(self, k, v):
        for i in range(k.shape[2]):
            self.keys.append(k[:, :, i])
            self.values.append(v[:, :, i])
            if len(self.keys) > self.size:
                self.keys.pop(0)
                self.values.pop(0)
            self.position += 1

    def attend(self, q):
        keys = torch.stack(self.keys, dim=2)
        values = torch.stack(self.values, dim=2)
        scores = torch.einsum("bhd,bhsd->bhs", q, keys) / math.sqrt(q.shape[-1])
        scores = scores - self.slope * (len(self.keys) - 1 - torch.arange(len(self.keys))).to(
            q.dtype
        )
        weights = torch.softmax(scores, dim=-1)
        return torch.einsum("bhs,bhsv->bhv", weights, values)
