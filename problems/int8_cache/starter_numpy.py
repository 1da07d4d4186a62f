import numpy as np


def quantize(x) -> tuple[np.ndarray, np.ndarray]:
    """Keep each vector as whole numbers of eight bits and one scale.

    x (B, H, S, D) -> codes (B, H, S, D) of int8, scale (B, H, S)
    """
    raise NotImplementedError


def attend_quantized(q, keys_q, key_scale, values_q, value_scale) -> np.ndarray:
    """Attend to keys and values that are kept like this.

    q (B, H, L, D), keys_q (B, H, S, D), values_q (B, H, S, Dv), scales (B, H, S) -> (B, H, L, Dv)
    """
    raise NotImplementedError
