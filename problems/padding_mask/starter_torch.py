import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    """Say which tokens of a padded batch may be attended to.

    tokens: integers (B, S)
    Returns booleans (B, 1, S), True = may attend.
    """
    raise NotImplementedError
