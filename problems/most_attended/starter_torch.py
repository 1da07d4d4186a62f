import torch


def most_attended(x: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The k tokens that each token attends to most, when queries, keys and values are all x.

    x: (n, D)    k: from 1 to n
    Returns indices (n, k), whole numbers, and weights (n, k), the largest first.
    """
    raise NotImplementedError
