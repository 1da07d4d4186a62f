import numpy as np


def masked_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    padding_mask: np.ndarray | None = None,
    causal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Scaled dot-product attention that looks only at the keys it may see.

    q: (B, L, D)    k: (B, S, D)    v: (B, S, Dv)
    padding_mask: None, or booleans (B, S), True = may attend
    causal: when True, query i sees the keys j <= i + S - L
    Returns output (B, L, Dv) and weights (B, L, S).
    """
    raise NotImplementedError
