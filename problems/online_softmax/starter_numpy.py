import numpy as np


def online_softmax(blocks: list[np.ndarray]) -> np.ndarray:
    """Softmax over scores that arrive block by block.

    blocks   list of arrays (n_1,), (n_2,), ...
    returns  (n_1 + n_2 + ...,), the weights of all scores
    """
    raise NotImplementedError
