import numpy as np


def retention(q, k, v, decay):
    n = q.shape[2]
    step = np.arange(n, dtype=decay.dtype)
    distance = step[:, None] - step
    power = decay[:, None, None]
    return (q @ k.swapaxes(-2, -1) * power ** abs(distance)) @ v
