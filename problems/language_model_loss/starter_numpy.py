import numpy as np


def language_model_loss(logits: np.ndarray, tokens: np.ndarray, pad_id: int = 0) -> np.floating:
    """Average how surprised the model is by the words that come next.

    logits   (B, n, V), the scores of the next word at each place
    tokens   (B, n), integers
    returns  one number, ()
    """
    raise NotImplementedError
