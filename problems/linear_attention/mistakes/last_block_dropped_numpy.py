import numpy as np


def feature_map(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def linear_attention(q, k, v):
    q, k = feature_map(q), feature_map(k)
    size = min(64, q.shape[1])
    blocks = [slice(i * size, (i + 1) * size) for i in range(q.shape[1] // size)]
    memory = sum(k[:, s].swapaxes(-2, -1) @ v[:, s] for s in blocks)  # (B, D, Dv)
    normaliser = sum(k[:, s].sum(axis=1) for s in blocks)[..., None]  # (B, D, 1)
    output = np.zeros_like(v)
    for s in blocks:
        output[:, s] = (q[:, s] @ memory) / (q[:, s] @ normaliser)
    return output
