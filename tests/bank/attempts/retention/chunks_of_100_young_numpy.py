"""What lies before a chunk is read with the power of the place in it."""
# causes: memory_one_step_young

import numpy as np


def retention(q, k, v, decay):
    B, H, n, D = q.shape
    g = decay[:, None, None]
    memory = np.zeros((B, H, D, v.shape[3]), v.dtype)
    rows = []
    for begin in range(0, n, 100):
        cut = slice(begin, begin + 100)
        Q, K, V = q[:, :, cut], k[:, :, cut], v[:, :, cut]
        m = Q.shape[2]
        i = np.arange(m).astype(v.dtype)
        age = (i[:, None] - i)
        part = np.einsum("bhij,bhjv->bhiv", np.einsum("bhid,bhjd->bhij", Q, K) * np.tril(g ** np.abs(age)), V)
        read = (Q * g ** i[:, None]) @ memory
        memory = g ** m * memory + np.swapaxes(K * g ** (m - 1 - i[:, None]), 2, 3) @ V
        rows.append(part + read)
    return np.concatenate(rows, axis=2)
