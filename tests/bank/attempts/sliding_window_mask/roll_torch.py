"""The first row is rolled, so the window comes back on the other side."""
# causes: wraps_around

import torch


def sliding_window_mask(n, window, causal=False):
    row = torch.zeros(n, dtype=torch.bool)
    for d in range(-window, window + 1):
        if causal and d > 0:
            continue
        row[d % n] = True
    return torch.stack([row.roll(i) for i in range(n)])
