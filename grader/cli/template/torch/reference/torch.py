import torch


def SLUG(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """q (L, D), k (S, D) -> scores (L, S)."""
    scores = q @ k.mT  # (L, S)
    return scores
