"""Divides products of decays unless one is 0, though tiny ones have few digits left."""
import numpy as np


def _decays(gates: np.ndarray) -> np.ndarray:
    """(..., m) -> (..., m, m), how much of token s is left at token t."""
    m = gates.shape[-1]
    products = np.cumprod(gates, axis=-1)
    if products.min() > 0:
        with np.errstate(over="ignore"):
            steps = products[..., :, None] / products[..., None, :]
    else:
        behind = np.tri(m, k=-1, dtype=bool)
        steps = np.where(behind, gates[..., :, None], np.ones_like(gates[..., :, None]))
        steps = np.cumprod(steps, axis=-2)
    return np.where(np.tri(m, dtype=bool), steps, np.zeros_like(steps))


def ssd(x, a, b, c, chunk) -> np.ndarray:
    """Read from a state that fades by another factor at each token, chunk by chunk.

    x (B, H, n, Dv), a (B, H, n), b, c (B, n, D), chunk an int -> (B, H, n, Dv)
    """
    batch, heads, n, width = x.shape
    y = np.empty((batch, heads, n, width), dtype=x.dtype)
    state = np.zeros((batch, heads, b.shape[-1], width), dtype=x.dtype)
    for start in range(0, n, chunk):
        here = slice(start, min(start + chunk, n))
        xs, gates = x[:, :, here], a[:, :, here]
        bs, cs = b[:, None, here], c[:, None, here]
        decay = _decays(gates)
        since = np.cumprod(gates, axis=-1)[..., None]
        scores = cs @ bs.swapaxes(-1, -2)
        y[:, :, here] = (scores * decay) @ xs + since * (cs @ state)
        added = bs.swapaxes(-1, -2) @ (decay[..., -1, :, None] * xs)
        state = since[..., -1:, :] * state + added
    return y
