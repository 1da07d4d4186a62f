"""Words are the tokens that are not 0."""
# causes: pad_id_ignored

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    return tokens.astype(bool)[:, None, :]
