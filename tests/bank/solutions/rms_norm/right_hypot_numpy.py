"""The root of a sum of squares is a hypotenuse: rms = hypot(||x|| / sqrt(E), sqrt(eps)).
Works in float64 on own copies, so that an eps that float32 does not know is not lost, and casts back."""
import math

import numpy as np


def rms_norm(x: np.ndarray, gain: np.ndarray, eps: float) -> np.ndarray:
    wide = np.array(x, dtype=np.float64)
    norm = np.linalg.norm(wide, axis=-1, keepdims=True)
    rms = np.hypot(norm / math.sqrt(wide.shape[-1]), math.sqrt(eps))
    wide /= rms
    wide *= gain
    return wide.astype(np.result_type(x, gain))
