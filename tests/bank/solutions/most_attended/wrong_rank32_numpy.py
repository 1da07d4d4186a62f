"""Wrong: "two weights are equal only if they are the same number" and "no array is rounded to float32": the order comes
from float32 scores. float64, x = [[1], [1 + 1e-9]], k = 2: token 1 is the larger one in both rows, token 0 leads."""
import math

import numpy as np


def most_attended(x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    if x.dtype.kind in "iub":
        x = x.astype(np.float64)
    scores = x @ x.T / math.sqrt(x.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    indices = np.argsort(-scores.astype(np.float32), axis=1, kind="stable")[:, :k]
    return indices, np.take_along_axis(weights, indices, axis=1)
