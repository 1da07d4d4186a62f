"""Sum all products, then ask."""
# causes: last_memory_for_all, never_erased

import numpy as np


def delta_rule(q, k, v, beta) -> np.ndarray:
    M = np.einsum("bhn,bhnd,bhnv->bhdv", beta, k, v)
    return q @ M
