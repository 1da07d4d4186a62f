"""Right: clocks as complex numbers exp(i angle); their imaginary and real parts are put side by side and an odd width is
cut off at the end."""
import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    clocks = -(-E // 2)
    speed = float(base) ** (-2.0 * np.arange(clocks) / E)
    hands = np.exp(1j * np.multiply.outer(np.arange(start, start + n), speed))
    both = np.stack([hands.imag, hands.real], axis=-1).reshape(n, 2 * clocks)
    return np.ascontiguousarray(both[:, :E], dtype=np.float32)
