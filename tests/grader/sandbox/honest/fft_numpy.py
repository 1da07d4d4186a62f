"""Fourier transforms."""

import numpy as np


def work():
    x = np.random.default_rng(0).standard_normal(1000)
    return np.allclose(np.fft.irfft(np.fft.rfft(x), 1000), x) and np.allclose(
        np.fft.ifft2(np.fft.fft2(np.eye(9))), np.eye(9)
    )
