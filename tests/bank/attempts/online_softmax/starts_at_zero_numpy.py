"""m and l both start at 0, and when m moves, l is multiplied by e to the new one minus the old one."""
# causes: maximum_starts_at_zero, rescaled_the_wrong_way

import numpy as np


class Running:
    def __init__(self, dtype):
        self.m = dtype.type(0)
        self.l = dtype.type(0)

    def add(self, block):
        new = np.maximum(self.m, np.max(block))
        if self.l > 0:
            self.l = self.l * np.exp(new - self.m)
        self.l = self.l + np.sum(np.exp(block - new))
        self.m = new


def online_softmax(blocks: list[np.ndarray]) -> np.ndarray:
    state = Running(blocks[0].dtype)
    for block in blocks:
        state.add(block)
    parts = []
    for block in blocks:
        part = np.exp(block - state.m)
        parts.append(part / state.l if state.l > 0 else np.zeros_like(part))
    return np.concatenate(parts)
