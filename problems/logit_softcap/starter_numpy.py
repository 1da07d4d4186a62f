import numpy as np


def softcapped_attention(q, k, v, cap: float, causal: bool = False) -> np.ndarray:
    """Attend with scores that are pressed smoothly between -cap and cap.

    q (..., L, D), k (..., S, D), v (..., S, Dv) -> (..., L, Dv)
    """
    raise NotImplementedError
