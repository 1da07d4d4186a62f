"""The strided pattern of sparse transformers, which is causal."""
# causes: multiples_of_distance, causal

import torch


def sparse_mask(n: int, stride: int) -> torch.Tensor:
    i = torch.arange(n)[:, None]
    j = torch.arange(n)
    return (j <= i) & ((i - j <= stride) | ((i - j) % stride == 0))
