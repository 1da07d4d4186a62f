import numpy as np


def decoder_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    """Say which keys each position of a decoder may attend to: words only, and none from the
    future.

    tokens: integers (B, L)
    Returns booleans (B, L, L), True = may attend.
    """
    raise NotImplementedError
