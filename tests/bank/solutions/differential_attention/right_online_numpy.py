"""The keys one after another, with a running maximum and sum; float64 inside."""

import numpy as np


class RunningMean:
    def __init__(self, rows, width):
        self.top = np.full(rows, -np.inf)
        self.mass = np.zeros(rows)
        self.acc = np.zeros(rows + (width,))

    def take(self, score, value):
        top = np.maximum(self.top, score)
        old, new = np.exp(self.top - top), np.exp(score - top)
        self.mass = self.mass * old + new
        self.acc = self.acc * old[..., None] + new[..., None] * value
        self.top = top

    def mean(self):
        return self.acc / self.mass[..., None]


def differential_attention(q1, k1, q2, k2, v, lam):
    B, H, L, D = q1.shape
    S, width = v.shape[-2:]
    means = []
    for q, k in ((q1, k1), (q2, k2)):
        q64, k64, v64 = (np.asarray(a, np.float64) for a in (q, k, v))
        state = RunningMean((B, H, L), width)
        for j in range(S):
            score = (q64 * k64[:, :, j : j + 1]).sum(axis=-1) / np.sqrt(float(D))
            state.take(score, v64[:, :, j : j + 1])
        means.append(state.mean())
    out = means[0] - np.asarray(lam, np.float64).reshape(1, H, 1, 1) * means[1]
    return out.astype(v.dtype)
