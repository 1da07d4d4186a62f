"""Two hundred megabytes, given back, several times."""

import numpy as np


def work():
    return all(np.full(25 << 20, 1.0).sum() == 25 << 20 for _ in range(4))
