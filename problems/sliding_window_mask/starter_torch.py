import torch


def sliding_window_mask(n: int, window: int, causal: bool = False) -> torch.Tensor:
    """Say which keys each query may see when it looks no further than `window` positions.

    Returns booleans (n, n), True = may attend.
    """
    raise NotImplementedError
