# One step for each place in a chunk, in all chunks at once, and then one step for each chunk.
import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    C = min(chunk, n)
    N = -(-n // C)
    more = ((0, 0), (0, 0), (0, N * C - n), (0, 0))
    q, k, v, gates = (np.pad(x, more).reshape(B, H, N, C, -1) for x in (q, k, v, gates))
    own = np.zeros((B, H, N, D, v.shape[-1]), v.dtype)  # what a chunk writes into an empty memory
    kept = np.ones((B, H, N, D), v.dtype)
    output, since = np.empty_like(v), np.empty_like(q)
    for i in range(C):
        own = gates[:, :, :, i, :, None] * own + k[:, :, :, i, :, None] * v[:, :, :, i, None]
        kept = kept * gates[:, :, :, i]
        output[:, :, :, i] = np.einsum("bhnd,bhnde->bhne", q[:, :, :, i], own)
        since[:, :, :, i] = kept
    before = np.zeros_like(own)
    for c in range(1, N):
        before[:, :, c] = kept[:, :, c - 1, :, None] * before[:, :, c - 1] + own[:, :, c - 1]
    return (output + (q * since) @ before).reshape(B, H, N * C, -1)[:, :, :n]
