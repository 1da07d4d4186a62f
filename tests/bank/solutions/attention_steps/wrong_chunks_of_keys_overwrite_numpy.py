# wrong: values are mixed in chunks of 256 keys, and each chunk overwrites the last; with n > 256 the output has only the last chunk
import numpy as np

CHUNK = 256


def attention_steps(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / np.sqrt(q.shape[1]).astype(q.dtype)
    weights = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    output = np.zeros_like(v)
    for lo in range(0, len(k), CHUNK):
        np.matmul(weights[:, lo : lo + CHUNK], v[lo : lo + CHUNK], out=output)
    return scores, scaled, weights, output
