"""A frozen dataclass that is called, or a named tuple that is returned."""

import numpy as np
from dataclasses import dataclass


@dataclass(frozen=True)
class Head:
    keys: np.ndarray
    values: np.ndarray

    def __call__(self, q):
        s = self.keys @ q / np.sqrt(len(q)).astype(q.dtype)
        s -= s.max()
        w = np.exp(s) / np.exp(s).sum()
        return w @ self.values, w


def attention(query, keys, values):
    return Head(keys, values)(query)
