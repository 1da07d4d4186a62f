"""exp can be added up block by block without any maximum."""
# causes: formula_as_it_stands

import numpy as np


def online_softmax(blocks):
    total = 0.0
    for x in blocks:
        total += np.exp(x).sum()
    return np.concatenate([np.exp(x) / total for x in blocks])
