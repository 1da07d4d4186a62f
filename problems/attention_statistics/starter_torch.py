import torch


def attention_statistics(weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What the attention weights of one layer do, in numbers.

    weights: (H, L, S), the weights of L queries over S keys in each of H heads
    Returns entropy (H,), received (S,) and diagonal (min(L, S),).
    """
    raise NotImplementedError
