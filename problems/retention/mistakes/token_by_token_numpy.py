import numpy as np


def retention(q, k, v, decay):
    memory = np.zeros((*k.shape[:2], k.shape[-1], v.shape[-1]), dtype=v.dtype)
    output = np.empty_like(v)
    for i in range(q.shape[2]):
        memory = decay[:, None, None] * memory + k[:, :, i, :, None] * v[:, :, i, None, :]
        output[:, :, i] = (q[:, :, i, None, :] @ memory)[:, :, 0]
    return output
