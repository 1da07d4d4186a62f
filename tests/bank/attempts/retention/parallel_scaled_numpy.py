"""The decay matrix times the scaled scores."""
# causes: masked_matrix|token_by_token, scaled

import numpy as np


def retention(q, k, v, decay) -> np.ndarray:
    n = q.shape[2]
    pos = np.arange(n, dtype=q.dtype)
    D = np.tril(decay[:, None, None] ** np.maximum(pos[:, None] - pos, 0))
    scores = q @ k.swapaxes(2, 3) / np.sqrt(q.shape[-1])
    return (scores * D) @ v
