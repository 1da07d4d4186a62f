"""Right. No sort: k rounds of argmax (the first of equals) over an own copy of the scores, each winner struck out."""
import numpy as np


class _Rows:
    def __init__(self, x):
        x = np.asarray(x)
        if x.dtype.kind in "iub":
            x = x.astype(float)
        self.scores = np.matmul(x, x.T)
        self.scores *= self.scores.dtype.type(x.shape[1] ** -0.5)

    def weights(self):
        shifted = self.scores - np.max(self.scores, axis=1)[:, None]
        np.exp(shifted, out=shifted)
        return np.divide(shifted, np.sum(shifted, axis=1)[:, None], out=shifted)

    def winners(self, k):
        left = self.scores.copy()
        rows = np.arange(len(left))
        for _ in range(k):
            best = left.argmax(axis=1)
            left[rows, best] = -np.inf
            yield best


def most_attended(x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    table = _Rows(x)
    indices = np.stack(list(table.winners(k)), axis=1)
    return indices, np.take_along_axis(table.weights(), indices, 1)
