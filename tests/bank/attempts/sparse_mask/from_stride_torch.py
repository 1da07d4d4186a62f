"""The first landmark is at the stride."""
# causes: first_landmark_missing

import torch


def sparse_mask(n: int, stride: int) -> torch.Tensor:
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, max(0, i - stride) : i + stride + 1] = True
    for g in range(stride, n, stride):
        mask[g, :] = True
        mask[:, g] = True
    return mask
