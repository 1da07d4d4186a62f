"""n tokens are n // chunk chunks, and the gate of a token fades everything in the memory, itself too."""
# causes: last_chunk_dropped, new_token_fades

import numpy as np


def pair_products(gate):
    """(..., c, D) -> (..., c, c, D): what is left at t of the token j."""
    c = gate.shape[-2]
    late = np.arange(c)[:, None] >= np.arange(c)[None, :]
    late = late[:, :, None]
    steps = np.where(late, gate[..., :, None, :], np.ones((), dtype=gate.dtype))
    return np.where(late, np.cumprod(steps, axis=-3), 0)


def gated_linear_attention(q, k, v, gates, chunk: int) -> np.ndarray:
    B, H, n, D = q.shape
    out = np.zeros(v.shape, dtype=v.dtype)
    state = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    chunk = min(chunk, n)
    for number in range(n // chunk):
        part = slice(number * chunk, (number + 1) * chunk)
        qp, kp, vp, gp = q[:, :, part], k[:, :, part], v[:, :, part], gates[:, :, part]
        left = pair_products(gp)
        likeness = np.sum(qp[:, :, :, None] * kp[:, :, None] * left, axis=-1)
        all_gates = np.cumprod(gp, axis=2)
        out[:, :, part] = likeness @ vp + (qp * all_gates) @ state
        written = (kp * left[:, :, -1]).swapaxes(-1, -2) @ vp
        state = all_gates[:, :, -1][..., None] * state + written
    return out
