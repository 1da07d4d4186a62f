# wrong: n above 4096 and no multiple of it: the keys of the last, smaller block are not summed up
import numpy as np


def linear_attention(q, k, v):
    n = k.shape[1]

    def phi(x):
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))

    block = min(n, 4096)
    summary = mass = 0
    for i in range(n // block):
        part = slice(i * block, (i + 1) * block)
        f = phi(k[:, part])
        summary = summary + np.swapaxes(f, 1, 2) @ v[:, part]
        mass = mass + f.sum(axis=1)
    fq = phi(q)
    return (fq @ summary) / (fq @ mass[..., None])
