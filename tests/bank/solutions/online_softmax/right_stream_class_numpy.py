"""A small class keeps m and l while blocks go by, and a second sweep writes each weight into its slice with out=."""
import numpy as np


class _Running:
    def __init__(self, dtype):
        self.m = dtype.type(-np.inf)
        self.l = dtype.type(0)

    def see(self, x):
        top = np.maximum(self.m, np.amax(x))
        if top == -np.inf:
            return
        self.l = self.l * np.exp(self.m - top) + np.exp(x - top).sum()
        self.m = top


def online_softmax(blocks: list[np.ndarray]) -> np.ndarray:
    run = _Running(blocks[0].dtype)
    for x in blocks:
        run.see(x)
    ends = np.cumsum([len(x) for x in blocks])
    weights = np.zeros(ends[-1], dtype=blocks[0].dtype)
    if run.l > 0:
        for x, end in zip(blocks, ends):
            part = weights[end - len(x) : end]
            np.subtract(x, run.m, out=part)
            np.exp(part, out=part)
            part /= run.l
    return weights
