"""The lower triangle, moved to the end."""
# causes: none

import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    if key_len is None:
        key_len = query_len
    return np.tril(np.ones((query_len, key_len)), k=key_len - query_len).astype(bool)
