"""Wrong: "nothing overflows": a chunk in which no product of gates is 0 takes the quotient of products, but a
denormal product has an infinite inverse. float32, chunk = 50, all gates 0.1, 41 to 44 tokens."""
import numpy as np


def gated_linear_attention(q, k, v, gates, chunk: int) -> np.ndarray:
    batch, heads, n, d = q.shape
    memory = np.zeros((batch, heads, d, v.shape[3]), dtype=v.dtype)
    output = np.empty_like(v, shape=v.shape)
    one = gates.dtype.type(1)
    for begin in range(0, n, chunk):
        s = slice(begin, min(begin + chunk, n))
        qc, kc, vc, gc = q[:, :, s], k[:, :, s], v[:, :, s], gates[:, :, s]
        m = qc.shape[2]
        start = np.cumprod(gc, axis=2)
        if np.all(start > 0):
            scores = (qc * start) @ np.swapaxes(kc / start, -1, -2)
            left = start[:, :, -1:] / start * kc
        else:
            later = np.tri(m, m, -1, dtype=bool)[:, :, None]
            fade = np.cumprod(np.where(later, gc[:, :, :, None, :], one), axis=2)
            scores = np.einsum("bhtd,bhjd,bhtjd->bhtj", qc, kc, fade)
            left = fade[:, :, -1] * kc
        scores = np.where(np.tri(m, m, dtype=bool), scores, 0)
        output[:, :, s] = scores @ vc + (qc * start) @ memory
        memory = start[:, :, -1, :, None] * memory + np.swapaxes(left, -1, -2) @ vc
    return output
