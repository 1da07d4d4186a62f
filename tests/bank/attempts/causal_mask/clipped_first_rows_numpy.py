"""The triangle at the end; every query sees at least the first key."""
# causes: other: every query sees the first key, integers

import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    S = query_len if key_len is None else key_len
    mask = np.tril(np.ones((query_len, S), dtype=int), k=S - query_len)
    mask[:, 0] = 1
    return mask
