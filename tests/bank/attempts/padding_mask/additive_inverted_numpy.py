"""Minus infinity for padding is added to the scores."""
# causes: penalties, pad_id_ignored

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    return np.where(tokens == 0, -np.inf, 0.0)[:, None, :]
