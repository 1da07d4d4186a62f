"""With three leading sizes the function calls itself and forgets to pass causal on."""
import numpy as np


def attention_backward(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, grad_output: np.ndarray, causal: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if q.ndim > 4:
        parts = [attention_backward(*part) for part in zip(q, k, v, grad_output)]
        dq, dk, dv = (np.stack(grads) for grads in zip(*parts))
        return dq, dk, dv
    L, D = q.shape[-2:]
    S = k.shape[-2]
    s = q @ k.swapaxes(-1, -2) / D**0.5
    if causal:
        s[..., ~np.tri(L, S, S - L, dtype=bool)] = -np.inf
    top = s.max(axis=-1, keepdims=True)
    top[np.isneginf(top)] = 0.0
    p = np.exp(s - top)
    total = p.sum(axis=-1, keepdims=True)
    p = p / np.where(total == 0, np.ones_like(total), total)
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - np.sum(p * dp, axis=-1, keepdims=True)) / D**0.5
    return ds @ k, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ grad_output
