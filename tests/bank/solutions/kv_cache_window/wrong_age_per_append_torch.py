"""Breaks "Distance counts: it is the number of tokens that came later": all kept tokens grow older by
1 with each append, also when several tokens come at once. slope=1, chunk=2, size=4."""
import math

import torch


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size, self.slope, self.position = size, slope, 0
        self.k = self.v = self.age = None

    def append(self, k, v):
        n = k.shape[2]
        age = torch.arange(n - 1, -1, -1)
        if self.k is None:
            self.k, self.v, self.age = k.clone(), v.clone(), age
        else:
            self.k = torch.cat([self.k, k], dim=2)
            self.v = torch.cat([self.v, v], dim=2)
            self.age = torch.cat([self.age + 1, age])
        self.k = self.k[:, :, -self.size :].clone()
        self.v = self.v[:, :, -self.size :].clone()
        self.age = self.age[-self.size :].clone()
        self.position += n

    def attend(self, q):
        s = (self.k @ q.unsqueeze(-1)).squeeze(-1) / math.sqrt(q.shape[-1])
        s = s - self.slope * self.age.to(s.dtype)
        return (s.softmax(-1).unsqueeze(-2) @ self.v).squeeze(-2)
