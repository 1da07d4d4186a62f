"""1 / base ** (2i / E), two strided assignments."""
import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pe = np.zeros((n, E))
    p = np.arange(start, start + n)[:, np.newaxis]
    div = np.exp(np.arange(0, E, 2) * (-np.log(base) / E))
    pe[:, 0::2] = np.sin(p * div)
    pe[:, 1::2] = np.cos(p * div[: E // 2])
    return pe.astype(np.float32)
