"""Fourier transforms."""

import torch


def work():
    x = torch.randn(512)
    return torch.allclose(torch.fft.irfft(torch.fft.rfft(x), 512), x, atol=1e-5)
