import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    memory = np.zeros((*k.shape[:2], k.shape[-1], v.shape[-1]), v.dtype)
    output = np.empty_like(v)
    for i in range(q.shape[2]):
        gate = gates[:, :, i, None, :]
        memory = gate * memory + k[:, :, i, :, None] * v[:, :, i, None, :]
        output[:, :, i] = (q[:, :, i, None, :] @ memory)[:, :, 0]
    return output
