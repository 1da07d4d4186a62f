import numpy as np


def retention(q, k, v, decay):
    n = q.shape[2]
    step = np.arange(n, dtype=decay.dtype)
    distance = step[:, None] - step
    power = decay[:, None, None]
    fade = np.tril(power ** np.maximum(distance, 0))
    return (q @ k.swapaxes(-2, -1) * fade) @ v
