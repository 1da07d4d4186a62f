"""In causal mode a tile of keys that begins with the last visible key is skipped."""
import numpy as np

TILE = 16


def attention_backward(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, grad_output: np.ndarray, causal: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    L, D = q.shape[-2:]
    S = k.shape[-2]
    scale = D**-0.5
    dq = np.zeros(q.shape, dtype=q.dtype)
    dk = np.zeros(k.shape, dtype=k.dtype)
    dv = np.zeros(v.shape, dtype=v.dtype)
    for start in range(0, L, TILE):
        stop = min(L, start + TILE)
        seen = S
        if causal:
            # tiles of keys up to the last one that these queries see
            last = stop - 1 + S - L
            seen = min(S, TILE * max(1, -(-last // TILE)))
        qt, gt = q[..., start:stop, :], grad_output[..., start:stop, :]
        kt, vt = k[..., :seen, :], v[..., :seen, :]
        s = qt @ np.swapaxes(kt, -1, -2) * scale
        if causal:
            position = np.arange(start, stop)[:, None] + S - L
            s = np.where(np.arange(seen) <= position, s, np.full_like(s, -np.inf))
        top = s.max(axis=-1, keepdims=True)
        top = np.where(np.isneginf(top), np.zeros_like(top), top)
        e = np.exp(s - top)
        total = e.sum(axis=-1, keepdims=True)
        p = e / np.where(total == 0, np.ones_like(total), total)
        dp = gt @ np.swapaxes(vt, -1, -2)
        ds = p * (dp - (p * dp).sum(axis=-1, keepdims=True)) * scale
        dq[..., start:stop, :] = ds @ kt
        dk[..., :seen, :] += np.swapaxes(ds, -1, -2) @ qt
        dv[..., :seen, :] += np.swapaxes(p, -1, -2) @ gt
    return dq, dk, dv
