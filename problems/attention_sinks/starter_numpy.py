import numpy as np


def attention_with_sinks(q, k, v, sinks) -> np.ndarray:
    """Attend with a sink in each head, which takes attention and gives nothing.

    q (B, H, L, D), k (B, H, S, D), v (B, H, S, Dv), sinks (H,) -> (B, H, L, Dv)
    """
    raise NotImplementedError
