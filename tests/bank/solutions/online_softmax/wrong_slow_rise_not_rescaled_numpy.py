"""The sum is rescaled only where one block rises by more than 8 above the one before it."""

import numpy as np

SMALL_STEP = 8.0  # growth that the exponentials can take without a new reference


def online_softmax(blocks: list[np.ndarray]) -> np.ndarray:
    """Softmax over scores that arrive block by block."""
    reference = running = -np.inf
    total = 0.0
    for block in blocks:
        peak = max(running, block.max())
        if peak > running + SMALL_STEP:
            total = total * np.exp(reference - peak)
            reference = peak
        running = peak
        if reference > -np.inf:
            total = total + np.exp(block - reference).sum()
    if total == 0:
        return np.concatenate([np.zeros_like(block) for block in blocks])
    return np.concatenate([np.exp(block - reference) / total for block in blocks])
