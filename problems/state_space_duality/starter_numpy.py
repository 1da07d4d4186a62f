import numpy as np


def ssd(x, a, b, c, chunk) -> np.ndarray:
    """Read from a state that fades by another factor at each token, chunk by chunk.

    x (B, H, n, Dv), a (B, H, n), b, c (B, n, D), chunk an int -> (B, H, n, Dv)
    """
    raise NotImplementedError
