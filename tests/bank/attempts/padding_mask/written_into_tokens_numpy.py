"""Put 1 for words and 0 for padding into the tokens."""
# causes: tokens_changed, integers

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    tokens[tokens != pad_id] = 1
    tokens[tokens == pad_id] = 0
    return tokens[:, None, :]
