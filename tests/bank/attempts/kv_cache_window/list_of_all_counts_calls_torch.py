"""Everything is joined and never cut, and each append is one place."""
# causes: nothing_dropped, position_counts_calls

import torch


class RollingCache:
    def __init__(self, size, slope=0.0):
        self.size = size
        self.slope = slope
        self.position = 0
        self.keys = None

    def append(self, k, v):
        if self.keys is None:
            self.keys, self.values = k.clone(), v.clone()
        else:
            self.keys = torch.cat((self.keys, k), dim=2)
            self.values = torch.cat((self.values, v), dim=2)
        self.position += 1

    def attend(self, q):
        length = self.keys.shape[2]
        distance = length - 1 - torch.arange(length)
        scores = torch.einsum("bhd,bhnd->bhn", q, self.keys) / q.shape[-1] ** 0.5
        scores = scores - self.slope * distance.to(q.dtype)
        return torch.einsum("bhn,bhnd->bhd", torch.softmax(scores, dim=-1), self.values)
