"""The sums of the softmax are kept up to date, key by key."""

import math

import torch


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.tokens = []

    def append(self, k, v):
        for i in range(k.shape[2]):
            self.tokens.append((k[:, :, i].clone(), v[:, :, i].clone()))
        self.tokens = self.tokens[-self.size :]
        self.position += k.shape[2]

    def attend(self, q):
        top, total, sums = None, None, None
        for distance, (key, value) in enumerate(reversed(self.tokens)):
            score = (q * key).sum(dim=-1) / math.sqrt(q.shape[-1]) - self.slope * distance
            if top is None:
                top, total, sums = score, torch.ones_like(score), value * 1
                continue
            new = torch.maximum(top, score)
            old, weight = torch.exp(top - new), torch.exp(score - new)
            total = total * old + weight
            sums = sums * old[..., None] + weight[..., None] * value
            top = new
        return sums / total[..., None]
