"""Zeros for what is seen and minus infinity for the rest, to be added."""
# causes: penalties

import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    S = query_len if key_len is None else key_len
    mask = np.full((query_len, S), -np.inf)
    return np.triu(mask, k=1 + S - query_len)
