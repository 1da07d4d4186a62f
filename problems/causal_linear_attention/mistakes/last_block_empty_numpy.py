import numpy as np


def feature_map(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def causal_linear_attention(q, k, v):
    q, k = feature_map(q), feature_map(k)
    size = 64
    memory = np.zeros((q.shape[0], q.shape[2], v.shape[2]), dtype=q.dtype)  # (B, D, Dv)
    normaliser = np.zeros((q.shape[0], q.shape[2], 1), dtype=q.dtype)  # (B, D, 1)
    output = np.zeros_like(v)
    full, rest = divmod(q.shape[1], size)
    for s in [slice(i * size, (i + 1) * size) for i in range(full)] + [slice(-rest, None)]:
        near = np.tril(q[:, s] @ k[:, s].swapaxes(-2, -1))  # (B, 64, 64)
        denominator = near.sum(axis=-1, keepdims=True) + q[:, s] @ normaliser
        output[:, s] = (near @ v[:, s] + q[:, s] @ memory) / denominator
        memory += k[:, s].swapaxes(-2, -1) @ v[:, s]
        normaliser += k[:, s].sum(axis=1)[..., None]
    return output
