# What the first token asks for is computed in float32.
import numpy as np


def delta_rule(q, k, v, beta):
    memory = np.zeros((*k.shape[:2], k.shape[-1], v.shape[-1]), v.dtype)
    output = np.empty_like(v)
    for i in range(k.shape[2]):
        key = k[:, :, i, :, None]
        change = beta[:, :, i, None] * (v[:, :, i] - (key * memory).sum(-2))
        memory = memory + key * change[:, :, None]
        output[:, :, i] = (q[:, :, i, :, None] * memory).sum(-2)
    first = [m[:, :, 0].astype(np.float32) for m in (q, k, v, beta)]
    output[:, :, 0] = (first[0] * first[1]).sum(-1, keepdims=True) * first[3][..., None] * first[2]
    return output
