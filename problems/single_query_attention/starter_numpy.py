import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    """Attention of one query.

    query (d,), keys (n, d), values (n, dv).
    Returns output (dv,) and weights (n,).
    """
    raise NotImplementedError
