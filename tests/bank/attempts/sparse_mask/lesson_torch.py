"""Band, columns and rows in torch."""
# causes: none

import torch


def sparse_mask(n: int, stride: int) -> torch.Tensor:
    pos = torch.arange(n)
    band = (pos.unsqueeze(0) - pos.unsqueeze(1)).abs() <= stride
    landmark = pos % stride == 0
    return band | landmark.unsqueeze(0) | landmark.unsqueeze(1)
