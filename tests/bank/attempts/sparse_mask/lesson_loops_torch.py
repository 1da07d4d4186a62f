"""Every pair by itself."""
# causes: none

import torch


def sparse_mask(n: int, stride: int) -> torch.Tensor:
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for j in range(n):
            if abs(i - j) <= stride or i % stride == 0 or j % stride == 0:
                mask[i, j] = True
    return mask
