"""Copies the bytes in whatever order they lie and reads them back row by row."""
import numpy as np


def _private(a: np.ndarray) -> np.ndarray:
    return np.frombuffer(a.tobytes(order="A"), dtype=a.dtype).reshape(a.shape)


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    x, w_q, w_k, w_v = map(_private, (x, w_q, w_k, w_v))

    scores = (x @ w_q) @ (x @ w_k).T
    scores = scores / float(np.sqrt(w_q.shape[1]))
    scores = scores - scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ (x @ w_v), weights
