"""Each word sees the words before it."""
# causes: diagonal_hidden

import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    S = key_len if key_len is not None else query_len
    i = np.arange(query_len)[:, None]
    j = np.arange(S)[None, :]
    return j < i + S - query_len
