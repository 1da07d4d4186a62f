"""Square, mean, root, divide."""
# causes: none

import numpy as np


def rms_norm(x: np.ndarray, gain: np.ndarray, eps: float) -> np.ndarray:
    ms = np.mean(x**2, axis=-1, keepdims=True)
    return x / np.sqrt(ms + eps) * gain
