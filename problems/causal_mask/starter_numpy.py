import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    """Say which keys each query may see when nobody looks ahead.

    query_len: L    key_len: S, or None for S = L
    Returns booleans (L, S), True = may attend.
    """
    raise NotImplementedError
