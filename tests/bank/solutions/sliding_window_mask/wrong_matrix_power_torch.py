"""Breaks "A window may reach past the text" and "Any length": steps of one, raised to the power w, in
float32. 3^w overflows and inf * 0 is NaN: n=300, window=150 has False near the diagonal."""
import torch


def sliding_window_mask(n, window, causal=False):
    step = torch.eye(n) + torch.diag(torch.ones(n - 1), -1)
    if not causal:
        step = step + torch.diag(torch.ones(n - 1), 1)
    return torch.linalg.matrix_power(step, min(window, n)) > 0
