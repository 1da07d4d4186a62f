"""A matrix product large enough for every code path of the BLAS."""

import numpy as np


def work():
    a = np.ones((700, 700), np.float32)
    return bool(((a @ a) == 700).all())
