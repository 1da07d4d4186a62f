import numpy as np


def sinusoidal_positions(n: int, E: int, base: float = 10000.0, start: int = 0) -> np.ndarray:
    """Write the positions start, …, start + n - 1 as waves of different lengths.

    Returns float32 (n, E).
    """
    raise NotImplementedError
