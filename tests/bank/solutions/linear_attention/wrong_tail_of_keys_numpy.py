"""Breaks "n need not be a multiple of anything": the keys behind the last whole block of 1024 are left out.
Shows with n = 1500 (not with n < 1024): the last 476 keys have no weight."""
import numpy as np

BLOCK = 1024


def _phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    B, n, D = k.shape
    block = min(BLOCK, n)
    summary = np.zeros((B, D, v.shape[2]), dtype=v.dtype)
    mass = np.zeros((B, D, 1), dtype=v.dtype)
    for i in range(n // block):
        part = slice(i * block, (i + 1) * block)
        f = _phi(k[:, part]).swapaxes(1, 2)
        summary += f @ v[:, part]
        mass += f.sum(axis=2, keepdims=True)
    fq = _phi(q)
    return (fq @ summary) / (fq @ mass)
