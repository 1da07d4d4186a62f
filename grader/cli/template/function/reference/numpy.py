import numpy as np


def SLUG(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """q (L, D), k (S, D) -> scores (L, S)."""
    scores = q @ k.T  # (L, S)
    return scores
