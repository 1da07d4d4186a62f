"""Replace zeros by one in the logarithm, and einsum for the sums."""
# causes: none

import torch


def attention_statistics(weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    H, L, S = weights.shape
    logs = torch.log(weights.masked_fill(weights == 0, 1.0))
    entropy = -torch.einsum("hij,hij->h", weights, logs) / L
    received = torch.einsum("hij->j", weights) / H
    m = min(L, S)
    diagonal = torch.einsum("hii->i", weights[:, :m, :m]) / H
    return entropy, received, diagonal
