"""phi(x) = exp(min(x, 0)) + max(x, 0), without a branch; einsum sums up once, with a vector for the denominators."""
import numpy as np


def _phi(x):
    return np.exp(np.minimum(x, 0)) + np.maximum(x, 0)


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    fq, fk = _phi(q), _phi(k)
    summary = np.einsum("bnd,bne->bde", fk, v, optimize=True)
    weight = fk.sum(axis=1)
    return np.einsum("bnd,bde->bne", fq, summary, optimize=True) / np.einsum("bnd,bd->bn", fq, weight)[:, :, None]
