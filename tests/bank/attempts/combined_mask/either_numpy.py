"""Put both masks together with or."""
# causes: padding_or_causal

import numpy as np


def decoder_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    L = tokens.shape[1]
    return (tokens != pad_id)[:, None, :] | np.tril(np.ones((L, L), dtype=bool))
