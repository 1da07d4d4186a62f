"""A class with a method that is called softmax."""

import numpy as np


class Normaliser:
    def __init__(self, axis):
        self.axis = axis

    def softmax(self, x):
        top = x.max(axis=self.axis, keepdims=True)
        powers = np.exp(x - np.where(np.isneginf(top), 0, top).astype(x.dtype))
        total = powers.sum(axis=self.axis, keepdims=True)
        return powers / np.where(total == 0, 1, total).astype(x.dtype)


def softmax(x, axis=-1):
    return Normaliser(axis).softmax(x if x.dtype.kind == "f" else x.astype(np.float64))
