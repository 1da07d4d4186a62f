"""Move the triangle by the difference of the lengths."""
# causes: offset_reversed

import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    S = query_len if key_len is None else key_len
    return np.tril(np.ones((query_len, S), dtype=bool), k=query_len - S)
